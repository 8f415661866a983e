// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/tag.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;

TEST_CASE("a tag keeps type, source and counter at their extremes", "[machine_ucx][tag]") {
  for (const Tag tag :
       {Tag{TagType::payload, 0, 0}, Tag{TagType::payload, kMaxPes - 1, 0}, Tag{TagType::payload, 0, 0xffffffff},
        Tag{TagType::payload, 0, 0, 15}, Tag{TagType::host, kMaxPes - 1, 0xffffffff}}) {
    CHECK(decode_tag(encode(tag)) == tag);
  }
}

TEST_CASE("the fields of a tag lie where the wire format says", "[machine_ucx][tag]") {
  CHECK(encode({TagType::host}) == 0x1000000000000000);
  CHECK(encode({TagType::control}) == 0x2000000000000000);
  CHECK(encode({TagType::payload, 0xbcdef1, 0x12345678, 0xa}) == 0x3abcdef112345678);
}

TEST_CASE("a source that does not fit leaves the type alone", "[machine_ucx][tag]") {
  for (const TagType type : {TagType::host, TagType::control, TagType::payload})
    for (PeId beyond = kMaxPes; beyond != 0; beyond <<= 1)
      CHECK(decode_tag(encode({type, beyond + 5, 1})) == Tag{type, 5, 1});
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/tag.hpp"

#include <set>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

static_assert(encode({TagType::payload, 5, 7}) == (std::uint64_t{3} << 60 | std::uint64_t{5} << 32 | 7));

TEST_CASE("a tag is what it was before it became 64 bits", "[runtime][tag]") {
  for (const TagType type : {TagType::host, TagType::control, TagType::payload})
    for (const PeId source : {PeId{0}, PeId{1}, kMaxPes - 1})
      for (const std::uint32_t counter : {0u, 1u, 0x80000000u, ~0u})
        for (const std::uint8_t epoch : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{15}}) {
          const Tag tag{type, source, counter, epoch};
          CHECK(decode_tag(encode(tag)) == tag);
        }
}

TEST_CASE("tags that differ in one field differ in their bits", "[runtime][tag]") {
  std::set<std::uint64_t> bits;
  for (const TagType type : {TagType::host, TagType::control, TagType::payload})
    for (PeId bit = 1; bit < kMaxPes; bit <<= 1) bits.insert(encode({type, bit, 0}));
  for (int bit = 0; bit < 32; ++bit) bits.insert(encode({TagType::payload, 0, 1u << bit}));
  for (std::uint8_t bit = 1; bit < PayloadEpoch::kEpochs; bit <<= 1) bits.insert(encode({TagType::payload, 0, 0, bit}));
  CHECK(bits.size() == 3 * 24 + 32 + 4);
}

TEST_CASE("payload counters wrap around at the width that the options give", "[runtime][tag]") {
  Options options = kaon::testing::default_options();
  options.payload_counter_bits = 4;
  kaon::testing::Network network({1, 1}, options);
  PayloadCounters counters(network.pe(0).process().exchange_setup().payload_counter_bits);
  CHECK(counters.at(0, 0xf) == 0xf);
  CHECK(counters.at(1, 0xf) == 0);
  CHECK(counters.take(10) == 0);
  CHECK(counters.take(10) == 10);
  CHECK(counters.take(1) == 4);
  options.payload_counter_bits = 32;
  kaon::testing::Network wide({1, 1}, options);
  PayloadCounters wide_counters(wide.pe(0).process().exchange_setup().payload_counter_bits);
  CHECK(wide_counters.at(~0u, 1) == 0);
  CHECK(wide_counters.take(~0u) == 0);
  CHECK(wide_counters.take(2) == ~0u);
  CHECK(wide_counters.take(1) == 1);
}

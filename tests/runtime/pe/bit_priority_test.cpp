// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/bit_priority.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

std::string text_of(const BitPriority& priority) {
  std::string text;
  for (std::size_t i = 0; i < priority.bits(); ++i) text += priority.bit(i) ? '1' : '0';
  return text;
}

}  // namespace

TEST_CASE("a priority has the bits of its parent in front of its own", "[bits]") {
  const BitPriority root;
  CHECK(text_of(root).empty());
  CHECK(text_of(root.child(5, 3)) == "101");
  CHECK(text_of(root.child(5, 3).child(1, 4)) == "1010001");
  CHECK(text_of(root.child(5, 3).child(0, 0)) == "101");
  CHECK(text_of(root.child(~std::uint64_t{0}, 64).child(2, 2)) == std::string(64, '1') + "10");
}

TEST_CASE("priorities are in the order of their bits as texts, over any number of words", "[bits]") {
  std::mt19937_64 random(7);
  std::vector<BitPriority> all{BitPriority()};
  for (int i = 0; i < 400; ++i) {
    const int width = static_cast<int>(random() % 65);
    const std::uint64_t value = width == 0 ? 0 : random() >> (64 - width);
    all.push_back(all[random() % all.size()].child(random() % 3 == 0 ? 0 : value, width));
  }
  CHECK(std::any_of(all.begin(), all.end(), [](const BitPriority& each) { return each.bits() > 192; }));
  for (const BitPriority& a : all)
    for (const BitPriority& b : all)
      if ((a < b) != (text_of(a) < text_of(b)) || (a == b) != (text_of(a) == text_of(b)))
        FAIL(text_of(a) << " and " << text_of(b));
}

TEST_CASE("priorities survive a way between processes", "[bits]") {
  BitPriority priority;
  for (int i = 0; i < 10; ++i) {
    std::vector<std::byte> bytes(200);
    Writer out(bytes.data(), bytes.size());
    out(priority);
    REQUIRE(out.fits());
    BitPriority read;
    Reader in(bytes.data(), out.bytes());
    in(read);
    CHECK(in.remaining() == 0);
    CHECK(text_of(read) == text_of(priority));
    priority = priority.child(static_cast<std::uint64_t>(i) * 977, 37);
  }
}

TEST_CASE("values with more bits than they are said to have are refused", "[bits][bad input]") {
  CHECK_THROWS_AS(BitPriority().child(4, 2), UsageError);
  CHECK_THROWS_AS(BitPriority().child(0, 65), UsageError);
  CHECK_THROWS_AS(BitPriority().child(0, -1), UsageError);
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/short_text.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "tests/support/catch.hpp"

using namespace kaon::runtime;

namespace {

constexpr std::size_t kMost = 2048;

}  // namespace

TEST_CASE("a short text has what was put into it, numbers of both signs and in any base", "[runtime][short_text]") {
  ShortText text;
  CHECK(text.empty());
  text << "PE " << 3u << " of " << -12 << ", at 0x";
  text.in_base(std::uintptr_t{0xbeef}, 16) << "; " << std::numeric_limits<std::uint64_t>::max();
  CHECK_FALSE(text.empty());
  CHECK(text.str() == "PE 3 of -12, at 0xbeef; 18446744073709551615");
}

TEST_CASE("what does not fit into a short text is left out", "[runtime][short_text]") {
  ShortText text;
  text << std::string(kMost - 3, 'a') << "bcdef";
  CHECK(text.str() == std::string(kMost - 3, 'a') + "bcd");
  text << "g" << 1;
  CHECK(text.view().size() == kMost);
}

TEST_CASE("a number that does not fit is left out whole, so that none is read wrong", "[runtime][short_text]") {
  ShortText text;
  text << std::string(kMost - 3, 'a') << 1234;
  CHECK(text.str() == std::string(kMost - 3, 'a'));
  text << 567;
  CHECK(text.str() == std::string(kMost - 3, 'a') + "567");
}

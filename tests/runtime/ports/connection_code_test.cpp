// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/connection_code.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace kaon::testing::connection_codes {

// Of the paper of SipHash, appendix A.
TEST_CASE("the hash of connection codes is SipHash-2-4", "[runtime][strangers]") {
  Secret key{};
  std::vector<std::byte> text(15);
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::byte>(i);
  CHECK(siphash(key, text) == 0xa129ca6149be45e5);
}

TEST_CASE("codes that differ in one byte are not the same", "[runtime][strangers]") {
  const ConnectionCode code{};
  CHECK(is_same(code, ConnectionCode{}));
  for (std::size_t i = 0; i < code.size(); ++i) {
    ConnectionCode other{};
    other[i] = std::byte{1};
    CHECK_FALSE(is_same(code, other));
  }
}

}  // namespace kaon::testing::connection_codes

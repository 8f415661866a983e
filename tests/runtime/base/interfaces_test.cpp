// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/interfaces.hpp"

#include <netinet/in.h>

#include <cstring>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::interfaces {

TEST_CASE("of several interfaces one that is there suffices", "[runtime][interfaces]") {
  CHECK(Interfaces("lo").is_usable());
  const Interfaces interfaces("no-such,lo");
  CHECK(interfaces.is_usable());
  CHECK_NOTHROW(interfaces.require_usable());
  sockaddr_in address{};
  REQUIRE(interfaces.address().size() == sizeof address);
  std::memcpy(&address, interfaces.address().data(), sizeof address);
  CHECK(ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK);
}

TEST_CASE("interfaces that are not there are named", "[runtime][interfaces]") {
  CHECK_FALSE(Interfaces("").is_usable());
  for (const char* names : {"no-such,neither", ",no-such,neither,"}) {
    const Interfaces interfaces(names);
    CHECK_FALSE(interfaces.is_usable());
    CHECK(interfaces.address().empty());
    CHECK_THROWS_WITH(interfaces.require_usable(), contains_text("no-such is not there, neither is not there"));
  }
}

}  // namespace kaon::testing::interfaces

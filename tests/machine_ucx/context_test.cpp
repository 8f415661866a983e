// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/context.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::machine_ucx {

bool uses_network(const Context& context) { return context.describe().find("tcp") != std::string::npos; }

ContextSettings settings(int hosts, const std::string& interface) {
  ContextSettings made;
  made.hosts = hosts;
  made.interface = interface;
  return made;
}

TEST_CASE("a run on one host uses no network", "[machine_ucx]") {
  CHECK_FALSE(uses_network(Context{}));
  CHECK_FALSE(uses_network(Context(settings(1, "lo"))));
}

TEST_CASE("a run on several hosts uses the network it was told, and none by itself", "[machine_ucx]") {
  CHECK(uses_network(Context(settings(2, "lo"))));
  CHECK_THROWS_AS(Context(settings(2, "")), runtime::UsageError);
}

}  // namespace kaon::machine_ucx

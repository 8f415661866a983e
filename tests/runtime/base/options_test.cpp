// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/options.hpp"

#include "tests/support/catch.hpp"

namespace kaon::testing {

TEST_CASE("the help names options of the runtime and variables that have none", "[runtime][options]") {
  const std::string help = options_help();
  CHECK(help.starts_with("Options of the runtime:"));
  for (const char* name : {"--pes", "KAON_PES", "KAON_HOST_DEVICE", "KAON_STAGE_THROUGH", "KAON_UCX_HOST"})
    CHECK(help.find(name) != std::string::npos);
}

}  // namespace kaon::testing

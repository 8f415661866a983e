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

TEST_CASE("a time that is no number is refused, as are those out of range", "[runtime][options]") {
  for (const std::string option : {"--deadlock-s", "--spin-us", "--coalesce-us", "--device-timeout"})
    for (const char* wrong : {"nan", "-1", "1e10", "soon"}) {
      const std::string word = option + "=" + wrong;
      CAPTURE(word);
      const char* words[] = {"program", word.c_str()};
      CHECK_THROWS_WITH(runtime::parse_command_line(2, words), contains_text(option) && contains_text(wrong));
    }
}

}  // namespace kaon::testing

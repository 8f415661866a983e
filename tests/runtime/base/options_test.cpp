// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/options.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing {

TEST_CASE("the help names options of the runtime and variables that have none", "[runtime][options]") {
  const std::string help = options_help();
  CHECK(help.starts_with("Options of the runtime:"));
  for (const char* name : {"--pes", "KAON_PES", "KAON_HOST_DEVICE", "KAON_FETCH_UP_TO"})
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

// As CLI11 does from 2.4 on, which no longer says so itself.
TEST_CASE("a variable whose value its option does not take is refused", "[runtime][options]") {
  const char* words[] = {"program", "--pes=3"};
  const auto [name, wrong] = GENERATE(table<const char*, const char*>({{"KAON_PES", "soon"},
                                                                       {"KAON_PES", "0"},
                                                                       {"KAON_SPIN_US", "nan"},
                                                                       {"KAON_TRANSPORT", "pigeon"},
                                                                       {"KAON_PIN", "maybe"}}));
  CAPTURE(name, wrong);
  const Variable variable(name, wrong);
  CHECK_THROWS_WITH(runtime::parse_command_line(1, words),
                    contains_text("the variable " + std::string(name) + "=" + wrong + " of the environment: "));
}

TEST_CASE("an option that is refused is not called a variable", "[runtime][options]") {
  const char* words[] = {"program", "--pes=many"};
  const Variable variable("KAON_PES", "soon"), other("KAON_SPIN_US", "3");
  CHECK_THROWS_WITH(runtime::parse_command_line(2, words), !contains_text("the variable"));
}

TEST_CASE("an option goes before its variable", "[runtime][options]") {
  const char* words[] = {"program", "--pes=3"};
  const char* value = GENERATE("2", "soon", "");
  const Variable variable("KAON_PES", value);
  CHECK(runtime::parse_command_line(2, words).options.pes == 3);
}

TEST_CASE("a variable is an option's value, unless it is empty", "[runtime][options]") {
  const char* words[] = {"program"};
  const int otherwise = runtime::parse_command_line(1, words).options.pes;
  const Variable two("KAON_PES", "2");
  CHECK(runtime::parse_command_line(1, words).options.pes == 2);
  const Variable empty("KAON_PES", "");
  CHECK(runtime::parse_command_line(1, words).options.pes == otherwise);
}

TEST_CASE("a limit of what a PE holds is the runtime's to choose unless it is given", "[runtime][options]") {
  const char* words[] = {"program", "--queue-limit-mib", "7"};
  CHECK(runtime::parse_command_line(1, words).options.queue_limit_mib == 0);
  CHECK(runtime::parse_command_line(3, words).options.queue_limit_mib == 7);
  const Variable variable("KAON_QUEUE_LIMIT_MIB", "9");
  CHECK(runtime::parse_command_line(1, words).options.queue_limit_mib == 9);
}

}  // namespace kaon::testing

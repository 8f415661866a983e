// SPDX-License-Identifier: Apache-2.0
// Only a run's own processes take part in it.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::strangers {

const std::string kLauncher = program("kaonrun");

TEST_CASE("a message of a stranger is not obeyed", "[multiprocess][strangers]") {
  const ProgramRun run = run_program({kLauncher, "-n", "2", test_program("stranger_program"), "--pes", "1"});
  CAPTURE(run.text);
  CHECK(run.code == 3);
  CHECK(run.text.find("from a process that is not one of this run") != std::string::npos);
}

}  // namespace kaon::testing::strangers

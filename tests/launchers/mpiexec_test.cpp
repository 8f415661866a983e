// SPDX-License-Identifier: Apache-2.0
// Programs under MPICH's mpiexec (Hydra), which speaks PMI-1 alone.
#include <string>
#include <vector>

#include "tests/launchers/tools.hpp"
#include "tests/launchers/wheels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::mpiexec_runs {

using Catch::Matchers::Contains;

const std::string kPrinting = test_program("printing_program");

TEST_CASE("MPICH's mpiexec is an error that is said once and names the cure", "[launchers][bad input]") {
  const auto files = mpich();
  if (!files) return;
  const auto command = GENERATE(values<std::vector<std::string>>(
      {{"mpiexec"}, {"mpiexec", "-pmi-port"}, {"mpiexec.gforker"}}));  // by PMI_RANK of PMI_SIZE; by PMI_ID alone
  std::vector<std::string> words{*files + "/bin/" + command[0]};
  words.insert(words.end(), command.begin() + 1, command.end());
  words.insert(words.end(), {"-n", "3", kPrinting, "--pes", "1"});
  const ProgramRun run = run_program(words);
  CAPTURE(words, run.text);
  CHECK(run.code == 2);
  CHECK_THAT(run.text, Contains("start them with `kaonrun -n Q PROGRAM`") && !Contains("1 PEs"));
  CHECK(run.text.find("start them") == run.text.rfind("start them"));
}

TEST_CASE("one process under MPICH's mpiexec is a run", "[launchers]") {
  const auto files = mpich();
  if (!files) return;
  const ProgramRun run = run_program({*files + "/bin/mpiexec", "-n", "1", kPrinting, "--pes", "2"});
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, Contains("2 PEs\n"));
}

}  // namespace kaon::testing::mpiexec_runs

// SPDX-License-Identifier: Apache-2.0
// Programs under MPICH's mpiexec (Hydra), which speaks PMI-1 alone: Kaon's by themselves are refused, those of MPI lend
// it their ways.
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/launchers/tools.hpp"
#include "tests/launchers/wheels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::mpiexec_runs {

const std::string kPrinting = test_program("printing_program");
const std::string kOfMpi = test_program("mpi_abi_library_program");

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
  CHECK_THAT(run.text, contains_text("start them with `kaonrun -n Q PROGRAM`") && !contains_text("1 PEs"));
  CHECK(run.text.find("start them") == run.text.rfind("start them"));
}

TEST_CASE("one process under MPICH's mpiexec is a run", "[launchers]") {
  const auto files = mpich();
  if (!files) return;
  check_end(run_program({*files + "/bin/mpiexec", "-n", "1", kPrinting, "--pes", "2"}), 0, {"2 PEs\n"});
}

/// Shared memory of the test's own, in which MPICH leaves what it had when it is killed. Says whether Kaon did, too.
std::vector<std::string> in_own_shared_memory(const std::string& command) {
  const std::string script = "mount -t tmpfs kaon-test /dev/shm || exit 99; " + command +
                             "; code=$?; timeout 10 sh -c 'while ls -d /dev/shm/kaon-run-* >/dev/null 2>&1; do :; done'"
                             " || echo left behind; exit $code";
  return {tool("unshare"), "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script};
}

/// A program of MPI under mpiexec, and what it needs of the environment. MPICH and Kaon are to use one UCX.
class ProgramOfMpich {
 public:
  explicit ProgramOfMpich(std::string files)
      : files_(std::move(files)), path_("LD_LIBRARY_PATH", (ucx_libraries() + ":" + files_ + "/lib").c_str()) {}
  [[nodiscard]] std::vector<std::string> operator()(int processes, const std::string& how) const {
    return in_own_shared_memory(files_ + "/bin/mpiexec -n " + std::to_string(processes) + " " + kOfMpi + " '" + how +
                                "' 'by MPI'");
  }

 private:
  std::string files_;
  Variable path_;
  Variable pes_{"KAON_PES", "2"};
  Variable leaks_{"LSAN_OPTIONS", "detect_leaks=0"};
};

std::unique_ptr<ProgramOfMpich> program_of_mpich() {
  if (!std::filesystem::exists(kOfMpi)) return nullptr;  // a build without ampirun
  if (run_program(in_own_shared_memory("true")).code != 0) {
    WARN("not seen: this host gives nobody shared memory of his own");
    return nullptr;
  }
  const auto files = mpich();
  return files ? std::make_unique<ProgramOfMpich>(*files) : nullptr;
}

TEST_CASE("a program of MPICH and OpenMP runs Kaon again and again", "[launchers]") {
  const auto program = program_of_mpich();
  if (program == nullptr) return;
  const char* const how = GENERATE("one session", "many sessions");
  const int processes = GENERATE(1, 3);
  const ProgramRun run = run_program((*program)(processes, how));
  CAPTURE(how, processes, run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, contains_text("0 wrong"));
}

TEST_CASE("the code of a run among processes of MPICH reaches who called mpiexec", "[launchers]") {
  const auto program = program_of_mpich();
  if (program == nullptr) return;
  const ProgramRun run = check_end(run_program((*program)(3, "fail")), 1, {"process 2: PE 5: the entry gave up"});
  CHECK_THAT(run.text, !contains_text("left behind"));
}

TEST_CASE("a process of MPICH's that is killed ends the run, and nothing stays", "[launchers]") {
  const auto program = program_of_mpich();
  if (program == nullptr) return;
  LaunchedRun run = LaunchedRun::of_program((*program)(3, "wait"));
  kill(run.wait_until_ready(6)[1], SIGKILL);  // each PE says so
  const Outcome outcome = run.finish();
  CHECK(outcome.code != 0);
  CHECK_THAT(outcome.text, !contains_text("left behind"));
}

}  // namespace kaon::testing::mpiexec_runs

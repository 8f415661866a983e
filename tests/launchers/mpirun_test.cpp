// SPDX-License-Identifier: Apache-2.0
// Programs under a real mpirun of Open MPI, whose server speaks PMIx.
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::mpirun_runs {

const std::string kPrinting = test_program("printing_program");
const std::string kFailing = test_program("failing_program");
const std::string kTraffic = test_program("traffic_program");

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("mpirun starts a run", "[launchers]") {
  const ProgramRun run = run_program(mpirun({"-n", "4", kPrinting, "--pes", "2", "--log-level", "info"}));
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK(count(run.text, "8 PEs\n") == 1);
  CHECK_THAT(run.text, contains_text("4 processes on 1 host"));
}

TEST_CASE("a run of one process under mpirun is a run", "[launchers]") {
  check_end(run_program(mpirun({"-n", "1", kPrinting, "--pes", "2"})), 0, {"2 PEs\n"});
}

TEST_CASE("under mpirun all kinds of traffic arrive", "[launchers]") {
  for (const char* kind : {"pairs", "storm", "payloads", "large", "calls", "farewell"}) {
    const ProgramRun run = run_program(mpirun({"-n", "3", kTraffic, kind, "--pes", "2"}));
    CAPTURE(kind, run.text);
    CHECK(run.code == 0);
  }
}

TEST_CASE("cores that mpirun gives to each process are its own", "[launchers]") {
  check_end(run_program(mpirun({"--bind-to", "core", "-n", "2", kPrinting, "--log-level", "info"})), 0,
            {"2 PEs\n", "1 core here, somebody else has chosen the cores"});
}

TEST_CASE("the code of a run reaches who called mpirun", "[launchers]") {
  const auto code = [](const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"-n", "3", kFailing};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"--pes", "1"});
    return run_program(mpirun(words));
  };
  CHECK(code({"return", "7"}).code == 7);
  CHECK(code({"memory"}).code == 4);
  const ProgramRun entry = code({"entry"});
  CAPTURE(entry.text);
  CHECK(entry.code == 1);
  CHECK(count(entry.text, "the entry gave up") == 1);
  if (kHasAddressSanitizer) return;  // whose handler of crashes ends a process in its own way
  check_end(code({"crash", "segv"}), 128 + SIGSEGV, {"process 2, PE 2: crashed with SIGSEGV"});
}

TEST_CASE("what processes have printed is not lost when a run fails under mpirun", "[launchers]") {
  check_end(run_program(mpirun({"-n", "2", test_program("launch_peer"), "print_and_give_up"})), 5,
            {"printed by 0\n", "printed by 1\n"});
}

TEST_CASE("what all processes of mpirun find wrong is said once", "[launchers][bad input]") {
  const ProgramRun run = run_program(mpirun({"-n", "3", kPrinting, "--no-such-option"}));
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK(count(run.text, "unknown option --no-such-option") == 1);
}

TEST_CASE("a process that does not join under mpirun is named", "[launchers][bad input]") {
  const Variable limit("KAON_TIMEOUT_START", "1");
  const bool is_first = GENERATE(false, true);
  const ProgramRun run = run_program(is_first ? mpirun({"-n", "1", tool("sleep"), "60", ":", "-n", "2", kPrinting})
                                              : mpirun({"-n", "2", kPrinting, ":", "-n", "1", tool("sleep"), "60"}));
  CAPTURE(run.text);
  CHECK(run.code == 3);
  CHECK_THAT(run.text, contains_text((is_first ? "process 0" : "process 2") +
                                     std::string(" did not join the run within 1000 ms")));
}

TEST_CASE("a time to start in that makes no sense is refused", "[launchers][bad input]") {
  const std::string wrong = GENERATE("soon", "5 s", "0");
  const Variable limit("KAON_TIMEOUT_START", wrong.c_str());
  check_end(run_program(mpirun({"-n", "2", kPrinting})), 2,
            {"KAON_TIMEOUT_START=" + wrong + " is not a number of seconds"});
}

TEST_CASE("different programs under one mpirun are refused", "[launchers][bad input]") {
  check_end(run_program(mpirun({"-n", "1", kPrinting, ":", "-n", "1", kFailing, "wait"})), 2,
            {"are different programs, or different builds of one"});
}

TEST_CASE("a second program in the place of the first is refused", "[launchers][bad input]") {
  const std::string twice = kPrinting + " --pes 1; " + kPrinting + " --pes 1";
  check_end(run_program(mpirun({"-n", "2", tool("sh"), "-c", twice})), 2, {"2 PEs\n", "process' place before"});
}

TEST_CASE("a program of Kaon's that a process under mpirun starts is told that the place is taken",
          "[launchers][bad input]") {
  const ProgramRun run = run_program(mpirun({"-n", "1", test_program("own_way_peer"), "start_kaon"}));
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK_THAT(run.text, contains_text("this process was started by one that belongs to a run of a launcher"));
}

TEST_CASE("a libpmix that is not there is asked for", "[launchers][bad input]") {
  const Variable library("KAON_PMIX_LIBRARY", "/nowhere/libpmix.so");
  check_end(run_program(mpirun({"-n", "2", kPrinting})), 2, {"/nowhere/libpmix.so cannot be loaded", "libpmix2"});
}

TEST_CASE("SIGTERM to mpirun ends a run, and what it has said is there", "[launchers]") {
  LaunchedRun run = LaunchedRun::of_program(mpirun({"-n", "2", kFailing, "wait", "--pes", "1"}));
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  const std::string folder = run_folder(pids[0]);
  CHECK(std::filesystem::exists(folder));
  run.signal(SIGTERM);
  const Outcome outcome = run.finish();
  CHECK(outcome.code != 0);
  CHECK(is_gone_soon(folder));
}

TEST_CASE("when mpirun is killed its processes end", "[launchers]") {
  LaunchedRun run = LaunchedRun::of_program(mpirun({"-n", "2", kFailing, "busy", "--pes", "1"}));
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  const std::string folder = run_folder(pids[0]);
  run.signal(SIGKILL);
  CHECK(run.finish().code == 128 + SIGKILL);
  CHECK(is_gone_soon(folder));
}

TEST_CASE("a process that is killed under mpirun ends the run", "[launchers]") {
  LaunchedRun run = LaunchedRun::of_program(mpirun({"-n", "3", kFailing, "wait", "--pes", "1"}));
  const std::vector<pid_t> pids = run.wait_until_ready(3);
  kill(pids[1], SIGKILL);
  CHECK(run.finish().code == 128 + SIGKILL);
}

TEST_CASE("mpirun starts the processes of ampirun", "[launchers]") {
  if (!std::filesystem::exists(program("ampirun"))) return;  // a build without it
  const std::vector<std::string> ampirun{program("ampirun"), "-n", "8", "--pes", "2", test_program("ampi/hello")};
  std::vector<std::string> command{"-n", "2"};
  command.insert(command.end(), ampirun.begin(), ampirun.end());
  const ProgramRun run = run_program(mpirun(command));
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK(count(run.text, "of 8") == 8);
}

TEST_CASE("a program of MPI and OpenMP runs Kaon again and again", "[launchers]") {
  const Variable pes("KAON_PES", "2"), leaks("LSAN_OPTIONS", "detect_leaks=0");  // Open MPI's are many
  const char* const how = GENERATE("one session", "many sessions");
  const char* const means = GENERATE("by the launcher", "by MPI");
  const ProgramRun run = run_program(mpirun({"-n", "3", test_program("mpi_library_program"), how, means}));
  CAPTURE(how, means, run.text);
  CHECK(run.code == 0);
  CHECK_THAT(run.text, contains_text("0 wrong"));
}

}  // namespace kaon::testing::mpirun_runs

// SPDX-License-Identifier: Apache-2.0
// What goes wrong is said once, with what to do, and ends every process with a code that is not 0. LaunchedRun reads
// until nobody holds the output any more, so that a test that ends has seen all processes gone.
#include <signal.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace {

using kaon::testing::LaunchedRun;
using kaon::testing::Outcome;
using kaon::testing::ProgramRun;
using kaon::testing::run_program;
using kaon::testing::Variable;
using namespace std::chrono_literals;

const std::string kLauncher = kaon::testing::program("kaonrun");
const std::string kPrinting = kaon::testing::test_program("printing_program");
const std::string kFailing = kaon::testing::test_program("failing_program");
const std::string kTraffic = kaon::testing::test_program("traffic_program");

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Alone and as two processes: the same message, once.
void check_refused(const std::vector<std::string>& command, int code, const std::vector<std::string>& parts) {
  std::vector<std::string> launched{kLauncher, "-n", "2"};
  launched.insert(launched.end(), command.begin(), command.end());
  for (const auto& words : {command, launched}) {
    const ProgramRun run = run_program(words);
    CAPTURE(words, run.text);
    CHECK(run.code == code);
    for (const std::string& part : parts) CHECK(contains(run.text, part));
    CHECK(count(run.text, parts.front()) == 1);
  }
}

}  // namespace

TEST_CASE("an unknown option is refused", "[multiprocess][bad input]") {
  check_refused({kPrinting, "--no-such-option"}, 2, {"--no-such-option", "--help"});
}

TEST_CASE("an option of kaonrun that was given to the program is answered with what to type",
          "[multiprocess][bad input]") {
  for (const char* option : {"--processes", "-n", "--label"})
    check_refused({kPrinting, option, "2"}, 2,
                  {std::string(option) + " is an option of kaonrun", "kaonrun -n 4 PROGRAM"});
  check_refused({kFailing, "return", "--processes", "2"}, 2, {"--processes is an option of kaonrun"});
}

TEST_CASE("a misspelt variable is warned of once", "[multiprocess][bad input]") {
  const Variable misspelt("KAON_PESS", "2");
  const ProgramRun run = run_program({kLauncher, "-n", "2", kPrinting, "--pes", "1"});
  CAPTURE(run.text);
  CHECK(run.code == 0);
  CHECK(count(run.text, "is it KAON_PES that you mean?") == 1);
}

TEST_CASE("a run says who takes part, where and for how long when that is asked for", "[multiprocess]") {
  const ProgramRun run = run_program({kLauncher, "-n", "2", kPrinting, "--pes", "1", "--log-level", "info"});
  CAPTURE(run.text);
  CHECK(run.code == 0);
  for (const char* part :
       {"2 processes on 1 host, 1 PE each", "cores", "UCX 1.", "posix,cma", "joined after", "run took"})
    CHECK(count(run.text, part) == 1);
  CHECK(count(run_program({kLauncher, "-n", "2", kPrinting, "--pes", "1"}).text, "info") == 0);
}

TEST_CASE("a number of PEs that makes no sense is refused", "[multiprocess][bad input]") {
  for (const char* pes : {"0", "-1", "100000", "two"}) check_refused({kPrinting, "--pes", pes}, 2, {"--pes"});
}

TEST_CASE("a chare without a name that others know is refused", "[multiprocess][bad input]") {
  check_refused({kaon::testing::test_program("unnamed_program")}, 2,
                {"unnamed namespace", "Hidden", "named namespace"});
}

TEST_CASE("an exception that leaves an entry names it and ends the run", "[multiprocess][bad input]") {
  check_refused({kFailing, "entry"}, 1, {"the entry gave up", "failing::Victim::fail", "element (", "PE 0"});
  check_refused({kFailing, "move", "--pes", "2"}, 1, {"it stays", "pup() of", "failing::Stone", "moves"});
}

TEST_CASE("an exception that leaves a task names it and ends the run", "[multiprocess][bad input]") {
  check_refused({kFailing, "task"}, 1, {"the task gave up", "failing::Victim::fail_later", "element ("});
}

TEST_CASE("an exception that leaves the main task ends the run", "[multiprocess][bad input]") {
  check_refused({kFailing, "main"}, 1, {"the main task gave up"});
}

TEST_CASE("an index outside the array names both", "[multiprocess][bad input]") {
  check_refused({kFailing, "outside"}, 2, {"is outside the array of", "index ("});
}

TEST_CASE("messages that nobody takes are bounded", "[multiprocess][bad input]") {
  const ProgramRun run = run_program({kLauncher, "-n", "2", kFailing, "full", "--pes", "1", "--queue-limit-mib", "16"});
  CAPTURE(run.text);
  CHECK(run.code == 4);
  CHECK(contains(run.text, "--queue-limit-mib"));
  CHECK(contains(run.text, "ready()"));
}

TEST_CASE("memory that the system does not give has the exit code of memory", "[multiprocess][bad input]") {
  check_refused({kFailing, "memory"}, 4, {"out of memory", "std::bad_alloc"});
}

TEST_CASE("the exit code that main returns arrives, and nobody is blamed for it", "[multiprocess][bad input]") {
  const ProgramRun alone = run_program({kFailing, "return", "9"});
  CAPTURE(alone.text);
  CHECK(alone.code == 9);
  CHECK(alone.text.empty());
  const ProgramRun several = run_program({kLauncher, "-n", "3", kFailing, "return", "9", "--pes", "1"});
  CAPTURE(several.text);
  CHECK(several.code == 9);
  CHECK(several.text == "kaonrun: all processes ended with code 9\n");
}

TEST_CASE("a result of main that a shell would take for success is a failure", "[multiprocess][bad input]") {
  for (const std::vector<std::string>& command :
       {std::vector{kFailing}, std::vector{kLauncher, std::string("-n"), std::string("2"), kFailing}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"return", "256", "--pes", "1"});
    const ProgramRun run = run_program(words);
    CAPTURE(run.text);
    CHECK(run.code == 1);
    CHECK(count(run.text, "main returned 256") == 1);
  }
}

TEST_CASE("output that cannot be written is an error", "[multiprocess][bad input]") {
  for (const std::string& launched : {std::string(), kLauncher + " -n 1 ", kLauncher + " -n 2 "}) {
    const ProgramRun run = run_program({"/bin/sh", "-c", launched + kFailing + " print --pes 1 > /dev/full"});
    CAPTURE(launched, run.text);
    CHECK(run.code == 1);
    CHECK(contains(run.text, "could not be written: No space left on device"));
  }
}

TEST_CASE("a killed process is named and the others end", "[multiprocess][bad input]") {
  for (const char* how : {"wait", "busy"}) {
    LaunchedRun run({"-n", "3", kFailing, how, "--pes", "1"});
    const std::vector<pid_t> pids = run.wait_until_ready(3);
    kill(pids[1], SIGKILL);
    const Outcome outcome = run.finish(5s);
    CAPTURE(how, outcome.text);
    CHECK(outcome.code != 0);
    CHECK(contains(outcome.text, "process 1"));
    CHECK(contains(outcome.text, "signal 9"));
  }
}

TEST_CASE("a stopped process is named and the others end", "[multiprocess][bad input]") {
  LaunchedRun run({"-n", "2", "--peer-timeout", "4", kFailing, "wait", "--pes", "1"});
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  kill(pids[1], SIGSTOP);
  const Outcome outcome = run.finish();
  CAPTURE(outcome.text);
  CHECK(outcome.code != 0);
  CHECK(contains(outcome.text, "process 1"));
  CHECK(contains(outcome.text, "not responding"));
}

TEST_CASE("an interrupted run leaves no process", "[multiprocess][bad input]") {
  LaunchedRun run({"-n", "2", kFailing, "busy", "--pes", "1"});
  run.wait_until_ready(2);
  run.signal(SIGINT);
  CHECK(run.finish().code == 130);
}

TEST_CASE("a hang-up ends a program alone, whatever UCX would do", "[multiprocess][bad input]") {
  LaunchedRun run = LaunchedRun::of_program({kFailing, "wait", "--pes", "1"});
  run.wait_until_ready(1);
  run.signal(SIGHUP);
  CHECK(run.finish(10s).code == 128 + SIGHUP);
}

TEST_CASE("a run that waits for what never comes says so and ends", "[multiprocess][bad input]") {
  for (const char* processes : {"1", "3"}) {
    const ProgramRun run = run_program({kLauncher, "-n", processes, kFailing, "stuck", "--pes", "2"});
    CAPTURE(run.text);
    CHECK(run.code == 5);
    for (const char* part : {"deadlock", "the main task, for the result of failing::Victim::wait_for_word",
                             "in its inbox failing::Victim::words"})
      CHECK(contains(run.text, part));
  }
}

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
TEST_CASE("a coroutine that g++ 12 makes so that it never runs is an error that says what to write",
          "[multiprocess][bad input]") {
  check_refused(
      {kFailing, "condition"}, 5,
      {"a coroutine was started and does nothing", "in the condition of an if, while or switch", "the main task"});
}
#endif

TEST_CASE("a live run says who waits when it gets SIGUSR1", "[multiprocess]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  run.wait_until_ready(2);
  run.signal(SIGUSR1);
  run.wait_until_said("the main task, for a time of 300 s");
  run.signal(SIGINT);
  CHECK(run.finish().code == 130);
}

TEST_CASE("a run whose standard output is closed says so and ends", "[multiprocess][bad input]") {
  for (const std::string& program : {kLauncher + " -n 2 " + kPrinting, kPrinting}) {
    const ProgramRun run = run_program({"/bin/sh", "-c", program + " >&-"});
    CAPTURE(run.text);
    CHECK(run.code == 1);
    CHECK(contains(run.text, "standard output could not be written"));
  }
}

TEST_CASE("two different programs are no run", "[multiprocess][bad input]") {
  const std::string either =
      "if [ \"$KAON_PROCESS\" = 0 ]; then exec " + kPrinting + "; else exec " + kTraffic + " pairs; fi";
  const ProgramRun run = run_program({kLauncher, "-n", "2", "/bin/sh", "-c", either});
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK(contains(run.text, "different programs"));
}

TEST_CASE("a process that never joins is named", "[multiprocess][bad input]") {
  const std::string either = "if [ \"$KAON_PROCESS\" = 0 ]; then exec " + kPrinting + "; else exec sleep 600; fi";
  const ProgramRun run = run_program({kLauncher, "-n", "2", "--timeout-start", "1", "/bin/sh", "-c", either});
  CAPTURE(run.text);
  CHECK(run.code != 0);
  CHECK(contains(run.text, "process 1"));
}

TEST_CASE("a foreign launcher is told about kaonrun", "[multiprocess][bad input]") {
  setenv("PMI_RANK", "0", 1);
  setenv("PMI_SIZE", "2", 1);
  const ProgramRun run = run_program({kPrinting});
  unsetenv("PMI_RANK");
  unsetenv("PMI_SIZE");
  CAPTURE(run.text);
  CHECK(run.code == 2);
  CHECK(contains(run.text, "kaonrun"));
}

TEST_CASE("two programs on one machine do not meet", "[multiprocess][bad input]") {
  LaunchedRun first({"-n", "2", kFailing, "wait", "--pes", "1"});
  const std::vector<pid_t> pids = first.wait_until_ready(2);
  check_end(run_program({kLauncher, "-n", "2", kPrinting, "--pes", "1"}), 0);
  first.signal(SIGTERM);
  CHECK(first.finish().code == 143);
}

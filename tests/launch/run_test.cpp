// SPDX-License-Identifier: Apache-2.0
// Real processes, started by the real kaonrun.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/peers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::peers {

TEST_CASE("processes get each other's contact data and leave together", "[launch]") {
  const int processes = GENERATE(1, 2, 5);
  const Outcome outcome = LaunchedRun(peers(processes, "exchange")).finish();
  INFO(outcome.text);
  CHECK(outcome.code == 0);
  CHECK(outcome.text.empty());
}

TEST_CASE("two runs at once do not meet", "[launch]") {
  LaunchedRun held(peers(2, "hold"));
  held.wait_until_ready(2);
  CHECK(LaunchedRun(peers(3, "exchange")).finish().code == 0);
  held.signal(SIGTERM);
  CHECK(held.finish(kSoon).code == 128 + SIGTERM);
}

TEST_CASE("a killed process is named and all others end", "[launch]") {
  LaunchedRun run(peers(3, "hold"));
  const auto pids = run.wait_until_ready(3);
  kill(pids[2], SIGKILL);
  check_end(run.finish(kSoon), 128 + SIGKILL,
            {"kaonrun: " + name(2, pids[2]) + " was killed by signal 9 (Killed); ending all processes\n"});
}

void check_that_a_stopped_process_ends(const std::vector<std::string>& options, const std::string& time) {
  LaunchedRun run(peers(2, "hold", options));
  const auto pids = run.wait_until_ready(2);
  kill(pids[1], SIGSTOP);
  check_end(run.finish(kSoon), kExitLostPeer, {name(1, pids[1]) + " has not responded for " + time});
}

TEST_CASE("a stopped process is named and ended, and all others with it", "[launch]") {
  check_that_a_stopped_process_ends({"--peer-timeout", "2"}, "2 s");
}

TEST_CASE("how long a silent process is waited for may be in the environment", "[launch]") {
  const Variable limit("KAON_PEER_TIMEOUT", "1");
  check_that_a_stopped_process_ends({}, "1 s");
}

TEST_CASE("of two times for a silent process the command line's is taken", "[launch]") {
  const Variable limit("KAON_PEER_TIMEOUT", "soon");
  const Outcome refused = LaunchedRun({"-n", "1", "true"}).finish(kSoon);
  INFO(refused.text);
  CHECK(refused.code == kExitUsage);
  CHECK(has(refused, "soon"));
  for (const char* taken : {"1", "0"})
    CHECK(LaunchedRun({"-n", "1", "--peer-timeout", taken, "true"}).finish(kSoon).code == 0);
}

TEST_CASE("a stopped process is ended also when it has gone to another group", "[launch]") {
  LaunchedRun run(peers(2, "change_group"));
  const auto pids = run.wait_until_ready(2);
  kill(pids[1], SIGSTOP);
  run.signal(SIGTERM);
  CHECK(run.finish(kSoon).code == 128 + SIGTERM);
}

TEST_CASE("a process that only computes is not taken for a lost one", "[launch]") {
  check_end(LaunchedRun(peers(2, "compute", {"--peer-timeout", "2"})).finish(), 0);
}

TEST_CASE("a process that does not join in time is named", "[launch]") {
  check_end(LaunchedRun(peers(3, "absent", {"--timeout-start", "0.3"})).finish(kSoon), kExitLostPeer,
            {"kaonrun: process 1 (pid ", "did not join the run within 0.3 s"});
}

TEST_CASE("a fence with a limit of its own names who is missing", "[launch]") {
  check_end(LaunchedRun(peers(2, "impatient")).finish(kSoon), kExitLostPeer,
            {"kaonrun: process 0 (pid ", " ended the run: process 1 did not join the run within 100 ms"});
}

TEST_CASE("different programs in one run are an error that names them", "[launch]") {
  check_end(LaunchedRun(peers(2, "differ")).finish(kSoon), kExitUsage,
            {"process 0 (pid ", "process 1 (pid ", "are different programs"});
}

TEST_CASE("a process that aborts ends all others, and only kaonrun says why", "[launch]") {
  const Outcome outcome = LaunchedRun(peers(3, "give_up")).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  CHECK(has(outcome, " ended the run: the disk is full\n"));
  CHECK_FALSE(has(outcome, "ended because"));
}

TEST_CASE("when all processes abort for one reason only kaonrun tells it", "[launch]") {
  const Outcome outcome = LaunchedRun(peers(4, "give_up_all")).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 5);
  // The others had come to it themselves, or say whom they follow.
  CHECK(has(outcome, "kaonrun: process "));
  for (int process = 0; process < 4; ++process)
    CHECK_FALSE(has(outcome, "kaon: process " + std::to_string(process) + ": the input is bad"));
}

TEST_CASE("a process that ends before the others is an error", "[launch]") {
  check_end(LaunchedRun(peers(3, "leave_early")).finish(kSoon), kExitLostPeer, {"ended before the run was over"});
}

TEST_CASE("a process that ends without joining is an error", "[launch]") {
  const Outcome outcome = LaunchedRun(peers(2, "never_join")).finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == kExitLostPeer);
  CHECK((has(outcome, "ended before it joined the run") || has(outcome, "ended before the run was over")));
}

TEST_CASE("bytes that are no frame end the run and name their sender", "[launch]") {
  check_end(LaunchedRun(peers(3, "babble")).finish(kSoon), kExitLostPeer,
            {"sent bytes that make no sense", "kaonrun: process 1 (pid "});
}

TEST_CASE("an interrupted run ends with one message", "[launch]") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  LaunchedRun run(peers(3, "hold"));
  run.wait_until_ready(3);
  run.signal(signal);
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.signal == signal);  // who waits for kaonrun sees what has ended it
  CHECK(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 3 + 1);  // three were ready before
}

TEST_CASE("ctrl-C at a terminal ends a run with one message", "[launch]") {
  LaunchedRun run(peers(3, "hold"), LaunchedRun::Input::kTerminal);
  run.wait_until_ready(3);
  run.type("\x03");
  const Outcome outcome = run.finish(kSoon);
  INFO(outcome.text);
  CHECK(outcome.code == 128 + SIGINT);
  CHECK(std::count(outcome.text.begin(), outcome.text.end(), '\n') == 3 + 1);  // three were ready before
}

TEST_CASE("process 0 may read from a terminal", "[launch]") {
  LaunchedRun run({"-n", "2", "head", "-n", "1"}, LaunchedRun::Input::kTerminal);
  run.type("typed\n");
  const Outcome outcome = run.finish(kSoon);
  CHECK(outcome.text == "typed\n");
  CHECK(outcome.code == 0);
}

TEST_CASE("no process outlives kaonrun", "[launch]") {
  LaunchedRun run(peers(3, "hold"));
  const auto pids = run.wait_until_ready(3);
  kill(pids[0], SIGSTOP);
  run.signal(SIGKILL);
  CHECK(run.finish(kSoon).code == 128 + SIGKILL);
}

TEST_CASE("a process joins its run once", "[launch]") {
  const int processes = GENERATE(1, 2);  // one that could also be alone
  check_end(LaunchedRun(peers(processes, "join_twice")).finish(kSoon), kExitUsage, {"joins its run once"});
}

TEST_CASE("the processes of a run share a secret that nobody else can read", "[launch]") {
  check_end(LaunchedRun(peers(3, "share_secret")).finish(), 0);
}

TEST_CASE("a second Kaon program under one kaonrun is refused with what to do", "[launch]") {
  // Of little to say: the words of two at a time stay whole.
  const std::string meet = test_program("own_way_peer") + " meet";
  const std::string both = meet + GENERATE(as<std::string>(), "; ", " & ") + meet + "; wait";
  check_end(LaunchedRun({"-n", "2", "sh", "-c", both}).finish(kSoon), kExitUsage,
            {"has started a second Kaon program", "use one kaonrun for each program"});
}

TEST_CASE("programs that know nothing of Kaon are started and ended too", "[launch]") {
  SECTION("only process 0 has the standard input") {
    const Outcome outcome = [] {
      LaunchedRun run({"-n", "3", "head", "-n", "1"});
      run.type("one line\n");
      return run.finish(kSoon);
    }();
    CHECK(outcome.text == "one line\n");
    CHECK(outcome.code == 0);
  }
  SECTION("the first failure ends the others, with what they have started") {
    const std::string script = "if [ $KAON_PROCESS = 1 ]; then exit 7; else sleep 1000; true; fi";
    check_end(LaunchedRun({"-n", "3", "sh", "-c", script}).finish(kSoon), 7, {"ended with code 7"});
  }
  SECTION("arguments after the program are the program's") {
    const Outcome outcome = LaunchedRun({"-n", "1", "echo", "--help", "-n", "2"}).finish(kSoon);
    CHECK(outcome.text == "--help -n 2\n");
  }
}

TEST_CASE("kaonrun says of which version it is", "[launch]") {
  const Outcome outcome = LaunchedRun({"--version"}).finish(kSoon);
  CHECK(outcome.text.starts_with("kaonrun of Kaon "));
  CHECK(outcome.code == 0);
}

TEST_CASE("kaonrun says what is wrong with its command line", "[launch]") {
  struct Case {
    std::vector<std::string> arguments;
    std::string text;
  };
  const std::vector<Case> cases{
      {{}, "--processes is required"},
      {{"-n", "2"}, "which program?"},
      {{"-n", "0", "true"}, "range"},
      {{"-n", "many", "true"}, "many"},
      {{"-n", "2", "--colour", "true"}, "unknown option --colour"},
      {{"-n", "2", "--fan-out", "8", "true"}, "--fan-out is gone"},
      {{"-n", "2", "--pes", "2", "true"}, "--pes is an option of the program"},
      {{"-n", "2", "--peer-timeout", "0.5", "true"}, "--peer-timeout"},
      {{"+p4", "true"}, "+p4 is an option of Charm++; here it is --pes 4"},
      {{"-n", "2", "++ppn", "2", "true"}, "++ppn is an option of Charm++; here it is --pes 4"},
      {{"-n", "2", "--timeout-start", "nan", "true"}, "nan is no number from 0.1 to 1e+06"},
      {{"-n", "2", "/no/such/program"}, "cannot run /no/such/program: No such file"},
  };
  for (const Case& each : cases) {
    check_end(LaunchedRun(each.arguments).finish(kSoon), kExitUsage, {each.text});
  }
}

}  // namespace kaon::testing::peers

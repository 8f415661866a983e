// SPDX-License-Identifier: Apache-2.0
// What the supervisor does when time passes, signals come and output fails.
#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/supervised_run.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::supervised {

TEST_CASE("the start is limited from the first that waits", "[launch]") {
  Run run;
  run.pass(milliseconds(100000), {0});
  CHECK(run.record.said.empty());
  run.put(0);
  run.pass(milliseconds(59500), {0});
  CHECK_FALSE(run.supervisor.is_ending());
  run.pass(milliseconds(500), {0});
  CHECK(run.supervisor.exit_code() == kExitLostPeer);
  CHECK(run.record.has_said("process 1 (pid 101), process 2 (pid 102) did not join the run within 60 s of process 0"));
}

TEST_CASE("silence is warned of once, forgiven, and punished in the end", "[launch]") {
  Run run;
  run.put_all();
  run.pass(milliseconds(10000), {0, 2});
  CHECK(run.record.said == "process 1 (pid 101) is not responding: stopped or swapped out?\n");
  run.pass(milliseconds(500), {0, 1, 2});
  CHECK(run.record.has_said("process 1 (pid 101) is responding again"));
  run.pass(milliseconds(19500), {0, 2});
  CHECK_FALSE(run.supervisor.is_ending());
  run.pass(milliseconds(500), {0, 2});
  CHECK(run.supervisor.exit_code() == kExitLostPeer);
  CHECK(run.record.killed == std::vector{std::pair{1, SIGKILL}});
  CHECK(run.record.has_said("process 1 (pid 101) has not responded for 20 s"));
}

TEST_CASE("of two that are silent for as long the first ends the run", "[launch]") {
  Run run;
  run.put_all();
  run.pass(milliseconds(2500), {0});
  CHECK(run.record.said.empty());
  run.pass(milliseconds(500), {0});
  CHECK(std::count(run.record.said.begin(), run.record.said.end(), '\n') == 2);
  run.pass(milliseconds(17000), {0});
  CHECK(run.record.killed == std::vector{std::pair{1, SIGKILL}});
  CHECK(run.record.has_said("process 1 (pid 101) has not responded for 20 s"));
}

TEST_CASE("silence is warned of and never punished when the user has said so", "[launch]") {
  Run run{Limits{.peer = milliseconds(0)}};
  run.put_all();
  run.pass(std::chrono::hours(1), {0, 2});
  CHECK_FALSE(run.supervisor.is_ending());
  CHECK(run.record.said == "process 1 (pid 101) is not responding: stopped or swapped out?\n");
}

TEST_CASE("a process that a debugger holds is waited for", "[launch]") {
  Run run;
  run.put_all();
  run.record.traced = 101;
  run.pass(std::chrono::hours(1), {0, 2});
  CHECK_FALSE(run.supervisor.is_ending());
  CHECK(run.record.said == "process 1 (pid 101) is not responding: a debugger holds it; the run waits\n");
  run.record.traced = -1;
  run.pass(milliseconds(500), {0, 2});
  CHECK(run.supervisor.exit_code() == kExitLostPeer);
}

TEST_CASE("a user's signal is passed on to the programs that have joined", "[launch]") {
  Run run;
  run.supervisor.on_frame(0, join_frame(100));
  run.supervisor.on_frame(1, join_frame(4711));  // below a shell
  run.supervisor.on_signal(SIGUSR1);
  CHECK(run.record.passed == std::vector<std::pair<pid_t, int>>{{100, SIGUSR1}, {4711, SIGUSR1}});
  CHECK(run.record.killed.empty());
  CHECK_FALSE(run.supervisor.is_ending());
}

TEST_CASE("a user's signal is passed to nobody who has left", "[launch]") {
  Run run;
  for (int process = 0; process < 3; ++process) run.supervisor.on_frame(process, join_frame(100 + process));
  run.leave_together();
  run.supervisor.on_closed(0);
  run.exit_with(1, 0);  // its pid may be another's
  run.supervisor.on_signal(SIGUSR1);
  CHECK(run.record.passed == std::vector<std::pair<pid_t, int>>{{102, SIGUSR1}});
}

TEST_CASE("standard output that cannot be written fails the run", "[launch]") {
  Run run;
  SECTION("while it runs") {
    run.put_all();
    run.supervisor.on_output_lost(ENOSPC);
    run.supervisor.on_output_lost(ENOSPC);
    CHECK(run.record.count(FrameKind::kEnd) == 3);
  }
  SECTION("when all have ended") {
    run.leave_together();
    for (int process = 0; process < 3; ++process) run.exit_with(process, 0);
    run.supervisor.on_output_lost(ENOSPC);
  }
  CHECK(run.supervisor.exit_code() == kExitOther);
  CHECK(run.record.said.starts_with("standard output could not be written: No space left on device"));
}

TEST_CASE("output that is lost behind a code of the run changes neither", "[launch]") {
  Run run;
  run.leave_together();
  run.exit_with(0, 3);
  run.supervisor.on_output_lost(EPIPE);
  CHECK(run.supervisor.exit_code() == 3);
  CHECK(run.record.count(FrameKind::kEnd) == 0);
}

TEST_CASE("a reader of the output that has gone ends the run as it would end a program", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_output_lost(EPIPE);
  CHECK(run.supervisor.exit_code() == 128 + SIGPIPE);
}

TEST_CASE("who does not join is told of in seconds", "[launch]") {
  Run run;
  run.put(0);
  run.put(2);
  run.pass(milliseconds(10000), {0, 2});
  CHECK(run.record.said.starts_with("process 1 (pid 101) did not join the run yet, process 0 waits"));
  CHECK(std::count(run.record.said.begin(), run.record.said.end(), '\n') == 1);
  CHECK_FALSE(run.supervisor.is_ending());
}

TEST_CASE("a stopped process that has not joined is named with what lets it go on", "[launch]") {
  const std::string cure = "a signal has stopped process 1 (pid 101); `kill -CONT 101` lets it go on.";
  Run run;
  run.record.stopped = 101;
  SECTION("when another waits for it") {
    run.put(0);
    run.put(2);
    run.pass(milliseconds(10000), {0, 2});
    CHECK(run.record.has_said("process 0 waits: " + cure));
    run.pass(milliseconds(60000), {0, 2});
    CHECK(run.supervisor.exit_code() == 3);
    CHECK(run.record.has_said("(--timeout-start waits longer): " + cure));
  }
  SECTION("when none has joined") {
    run.pass(milliseconds(10000), {});
    CHECK(run.record.has_said("no process has joined the run yet: " + cure));
  }
}

TEST_CASE("a program that joins no run is told of in seconds, and goes on", "[launch]") {
  Run run;
  run.pass(milliseconds(2500), {});
  CHECK(run.record.said.empty());
  run.pass(std::chrono::hours(1), {});
  for (int process = 0; process < 3; ++process) run.exit_with(process, 0);
  CHECK(run.record.said.starts_with("no process has joined the run yet: is it a Kaon program"));
  CHECK(std::count(run.record.said.begin(), run.record.said.end(), '\n') == 1);
  CHECK(run.supervisor.exit_code() == 0);
}

TEST_CASE("when the launcher itself was stopped nobody else is blamed", "[launch]") {
  Run run;
  SECTION("before anybody has spoken") {}
  SECTION("when some have joined") {
    run.put(0);
    run.put(1);
  }
  run.now += std::chrono::hours(1);
  run.pass(milliseconds(500), {});
  CHECK(run.record.said.empty());
}

TEST_CASE("who does not end when told is killed after the grace", "[launch]") {
  Run run;
  run.put(0);
  run.put(1);
  run.supervisor.on_signal(SIGINT);
  CHECK(run.record.count(FrameKind::kEnd) == 2);
  CHECK(run.record.killed == std::vector{std::pair{2, SIGTERM}});  // it does not listen yet
  run.exit_with(0, 130);
  run.record.killed.clear();
  run.pass(milliseconds(1000), {});
  CHECK(run.record.killed == std::vector{std::pair{1, SIGKILL}, std::pair{2, SIGKILL}});
}

TEST_CASE("a second interruption kills at once, unless it is the same one", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_signal(SIGINT);
  run.supervisor.on_signal(SIGTERM);
  CHECK(run.record.killed.empty());
  run.pass(milliseconds(500), {});
  run.supervisor.on_signal(SIGINT);
  CHECK(run.record.killed.size() == 3);
  CHECK(run.supervisor.exit_code() == 130);
}

TEST_CASE("after the barrier a process may go on alone", "[launch]") {
  Run run;
  run.put_all();
  for (int process = 0; process < 3; ++process) run.tell(process, FrameKind::kArrive);
  run.supervisor.on_closed(1);
  run.pass(milliseconds(100000), {0, 2});
  CHECK_FALSE(run.supervisor.is_ending());
}

}  // namespace kaon::testing::supervised

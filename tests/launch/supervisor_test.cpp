// SPDX-License-Identifier: Apache-2.0
// Who joins, passes the barrier, and ends how.
#include <csignal>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/launch/supervised_run.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::supervised {

TEST_CASE("a process that was started is told at once who it is and the secret of the run", "[launch]") {
  Run run;
  REQUIRE(run.record.sent.size() == 3);
  for (int process = 0; process < 3; ++process) {
    const auto& [to, frame] = run.record.sent[static_cast<std::size_t>(process)];
    CHECK(to == process);
    const WelcomeBody welcome = parse_welcome(frame);
    CHECK(welcome.seat == seat_on_one_host(process, 3));
    CHECK(welcome.secret == kSecret);
    CHECK(welcome.folder.path == "/dev/shm/kaon-run-1");
    CHECK(welcome.folder.free_bytes == 4096);
  }
}

TEST_CASE("a process is named by the pid that it has joined with", "[launch]") {
  Run run;
  run.supervisor.on_frame(1, join_frame(4711));
  run.supervisor.on_frame(1, end_frame(FrameKind::kAbort, 1, "lost"));
  CHECK(run.record.has_said("process 1 (pid 4711) ended the run: lost"));
}

TEST_CASE("a second Kaon program in a process ends the run with what to do", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_frame(1, join_frame(101));
  CHECK_FALSE(run.supervisor.is_ending());
  run.supervisor.on_frame(1, join_frame(4711));
  CHECK(run.supervisor.exit_code() == kExitUsage);
  CHECK(run.record.has_said("process 1 (pid 101) has started a second Kaon program (pid 4711)"));
  CHECK(run.record.has_said("use one kaonrun for each program"));
}

TEST_CASE("the fence opens for all when the last has put", "[launch]") {
  Run run;
  run.put(0);
  run.put(2);
  CHECK(run.record.count(FrameKind::kAllPut) == 0);
  run.put(1);
  CHECK(run.record.count(FrameKind::kAllPut) == 3);
}

TEST_CASE("who asks is told who is missing", "[launch]") {
  Run run;
  run.put(1);
  run.tell(1, FrameKind::kAskMissing);
  REQUIRE(run.record.count(FrameKind::kMissing) == 1);
  CHECK(parse_missing(run.record.sent.back().second, 3) == std::vector{0, 2});
}

TEST_CASE("the barrier releases all when the last has come, and all may end", "[launch]") {
  Run run;
  run.put_all();
  run.tell(0, FrameKind::kArrive);
  run.tell(1, FrameKind::kArrive);
  CHECK(run.record.count(FrameKind::kReleased) == 0);
  run.tell(2, FrameKind::kArrive);
  CHECK(run.record.count(FrameKind::kReleased) == 3);
  for (int process = 0; process < 3; ++process) run.exit_with(process, 0);
  CHECK(run.supervisor.is_over());
  CHECK(run.supervisor.exit_code() == 0);
  CHECK(run.record.said.empty());
}

TEST_CASE("who has come to the end and exited is told nothing any more", "[launch]") {
  Run run;
  run.put_all();
  run.tell(0, FrameKind::kArrive);
  run.exit_with(0, 0);
  run.tell(1, FrameKind::kArrive);
  run.tell(2, FrameKind::kArrive);
  CHECK(run.record.count(FrameKind::kReleased) == 2);
}

TEST_CASE("a code after the barrier ends nobody else, and is told when all have it", "[launch]") {
  Run run;
  run.leave_together();
  run.exit_with(2, 9);
  CHECK_FALSE(run.supervisor.is_ending());
  CHECK(run.record.count(FrameKind::kEnd) == 0);
  run.exit_with(0, 9);
  CHECK(run.record.said.empty());
  run.exit_with(1, 9);
  CHECK(run.supervisor.is_over());
  CHECK(run.supervisor.exit_code() == 9);
  CHECK(run.record.said == "all processes ended with code 9\n");
}

TEST_CASE("a code that one process alone has after the barrier names it", "[launch]") {
  Run run;
  run.leave_together();
  run.exit_with(0, 0);
  run.exit_with(1, 7);
  run.exit_with(2, 0);
  CHECK(run.supervisor.exit_code() == 7);
  CHECK(run.record.said == "process 1 (pid 101) ended with code 7\n");
}

TEST_CASE("a crash after the barrier is told and ends nobody else", "[launch]") {
  Run run;
  run.leave_together();
  run.supervisor.on_exit(0, {0, SIGSEGV});
  CHECK(run.record.said ==
        "process 0 (pid 100) was killed by signal 11 (Segmentation fault) after the end of the run\n");
  run.exit_with(1, 0);
  run.exit_with(2, 0);
  CHECK(run.supervisor.exit_code() == 128 + SIGSEGV);
  CHECK(run.record.killed.empty());
}

TEST_CASE("the first failure gives the exit code, later ones are not told", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_exit(2, {0, SIGSEGV});
  run.exit_with(0, 7);
  run.exit_with(1, 8);
  CHECK(run.supervisor.exit_code() == 128 + SIGSEGV);
  CHECK(run.record.has_said("process 2 (pid 102) was killed by signal 11"));
  CHECK_FALSE(run.record.has_said("code 7"));
  CHECK(run.record.count(FrameKind::kEnd) == 2);
  CHECK(parse_end(run.record.sent.back().second).code == 128 + SIGSEGV);
}

TEST_CASE("what two processes do wrong at a time is told of the first", "[launch]") {
  Run run;
  run.put_all();
  run.exit_with(1, 7);
  run.supervisor.on_corrupt(2, "it is noise");  // was on its way
  CHECK(run.supervisor.exit_code() == 7);
  CHECK_FALSE(run.record.has_said("noise"));
  CHECK(run.record.count(FrameKind::kEnd) == 2);
}

TEST_CASE("a process that crashes while the run is being ended is told, with the first failure's exit code",
          "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_exit(2, {0, SIGKILL});
  const int fault = GENERATE(SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL);
  run.supervisor.on_exit(0, {0, fault});
  CHECK(run.record.has_said("\nprocess 0 (pid 100) crashed by " + signal_text(fault) +
                            " while the run was being ended\n"));
  CHECK(run.supervisor.exit_code() == 128 + SIGKILL);
}

TEST_CASE("a process that is ended by others' signals while the run is being ended is not told", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_exit(2, {0, SIGSEGV});
  run.supervisor.on_exit(0, {0, SIGTERM});
  run.supervisor.on_exit(1, {0, SIGKILL});
  CHECK(run.record.said == "process 2 (pid 102) was killed by signal 11 (Segmentation fault); ending all processes\n");
}

TEST_CASE("who has lost another does not hide how that one has ended", "[launch]") {
  Run run;
  run.put_all();
  const auto lose = [&](int process) {
    run.supervisor.on_frame(process, end_frame(FrameKind::kAbort, kExitLostPeer, "receiving failed"));
  };
  lose(0);
  CHECK_FALSE(run.supervisor.is_ending());
  SECTION("by a signal") {
    run.supervisor.on_exit(1, {0, SIGKILL});
    CHECK(run.supervisor.exit_code() == 128 + SIGKILL);
    CHECK(run.record.has_said("process 1 (pid 101) was killed by signal 9"));
  }
  SECTION("after who has lost it") {
    run.exit_with(0, kExitLostPeer);
    lose(2);
    run.exit_with(2, kExitLostPeer);
    CHECK_FALSE(run.supervisor.is_ending());
    run.supervisor.on_exit(1, {0, SIGSEGV});
    CHECK(run.supervisor.exit_code() == 128 + SIGSEGV);
  }
  SECTION("which is not known") {
    run.pass(milliseconds(500), {0, 1, 2});
    CHECK(run.supervisor.exit_code() == kExitLostPeer);
    CHECK(run.record.has_said("process 0 (pid 100) ended the run: receiving failed"));
  }
  SECTION("all have lost somebody") {
    for (const int process : {1, 2}) lose(process);
    for (const int process : {2, 1, 0}) run.exit_with(process, kExitLostPeer);
    CHECK(run.supervisor.exit_code() == kExitLostPeer);
    CHECK(run.record.has_said("process 0 (pid 100) ended the run: receiving failed"));
  }
}

TEST_CASE("who cannot connect to one that is killed meanwhile does not hide that", "[launch]") {
  Run run;
  const auto refuse = [&] {
    run.supervisor.on_frame(0, end_frame(FrameKind::kAbort, kExitUsage, "no transport serves this"));
  };
  SECTION("once all have joined") {
    run.put_all();
    refuse();
    CHECK_FALSE(run.supervisor.is_ending());
    SECTION("it was killed") {
      run.supervisor.on_exit(1, {0, SIGKILL});
      CHECK(run.supervisor.exit_code() == 128 + SIGKILL);
    }
    SECTION("nobody was") {
      run.pass(milliseconds(500), {0, 1, 2});
      CHECK(run.supervisor.exit_code() == kExitUsage);
      CHECK(run.record.has_said("process 0 (pid 100) ended the run: no transport serves this"));
    }
  }
  SECTION("before, at once") {
    refuse();
    CHECK(run.supervisor.exit_code() == kExitUsage);
  }
}

TEST_CASE("a program below a shell of kaonrun's is killed, too", "[launch]") {
  Run run;
  run.supervisor.on_frame(1, join_frame(4711));
  run.supervisor.on_signal(SIGTERM);
  CHECK(run.record.passed.empty());
  run.pass(milliseconds(500), {1});
  run.supervisor.on_signal(SIGTERM);
  CHECK(run.record.passed == std::vector<std::pair<pid_t, int>>{{4711, SIGKILL}});
  CHECK(run.record.killed.back() == std::pair<int, int>(2, SIGKILL));
}

TEST_CASE("a failure with a code that a shell takes for success is still a failure", "[launch]") {
  Run run;
  const int code = GENERATE(0, 256);
  run.supervisor.on_frame(1, end_frame(FrameKind::kAbort, code, "lost"));
  CHECK(run.supervisor.exit_code() == kExitOther);
}

TEST_CASE("different programs are named whoever comes first", "[launch]") {
  Run run;
  run.put(2, 5);
  run.put(0, 6);
  CHECK(run.supervisor.exit_code() == kExitUsage);
  CHECK(run.record.has_said("process 0 (pid 100) and process 2 (pid 102) are different programs"));
}

TEST_CASE("a process that leaves early is an error, whether the others had joined before or join after", "[launch]") {
  Run run;
  SECTION("before") {
    run.put(0);
    run.exit_with(1, 0);
    CHECK(run.record.has_said("process 1 (pid 101) ended before the run was over"));
  }
  SECTION("after") {
    run.exit_with(1, 0);
    CHECK_FALSE(run.supervisor.is_ending());
    run.put(0);
    CHECK(run.record.has_said("process 1 (pid 101) ended before it joined the run"));
  }
  CHECK(run.supervisor.exit_code() == kExitLostPeer);
}

TEST_CASE("programs that never join may end as they like", "[launch]") {
  Run run;
  run.pass(milliseconds(2500), {});
  for (int process = 0; process < 3; ++process) run.exit_with(process, 0);
  CHECK(run.record.said.empty());
  CHECK(run.supervisor.exit_code() == 0);
}

TEST_CASE("frames that come at the wrong time name their sender", "[launch]") {
  Run run;
  SECTION("contact data twice") {
    run.put(1);
    run.put(1);
  }
  SECTION("a question before its answer exists") { run.supervisor.on_frame(1, get_frame(0)); }
  SECTION("the end twice") {
    run.tell(1, FrameKind::kArrive);
    run.tell(1, FrameKind::kArrive);
  }
  SECTION("what only kaonrun says") { run.tell(1, FrameKind::kReleased); }
  CHECK(run.record.has_said("process 1 (pid 101) sent bytes that make no sense"));
  CHECK(run.supervisor.exit_code() == kExitLostPeer);
}

}  // namespace kaon::testing::supervised

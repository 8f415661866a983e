// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/supervisor.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using std::chrono::milliseconds;

class Record final : public Effects {
 public:
  void send(int process, const Frame& frame) override { sent.emplace_back(process, frame); }
  void kill(int process, int signal) override { killed.emplace_back(process, signal); }
  void say(std::string_view text) override { said += std::string(text) + "\n"; }

  [[nodiscard]] long count(FrameKind kind) const {
    return std::count_if(sent.begin(), sent.end(), [kind](const auto& each) { return each.second.kind == kind; });
  }
  [[nodiscard]] bool has_said(const std::string& text) const { return said.find(text) != std::string::npos; }

  std::vector<std::pair<int, Frame>> sent;
  std::vector<std::pair<int, int>> killed;
  std::string said;
};

constexpr Secret kSecret{std::byte{1}, std::byte{2}, std::byte{3}};

// Three processes with pids 100, 101, 102, and a clock that the test moves.
class Run {
 public:
  Run() {
    for (int process = 0; process < 3; ++process) supervisor.on_started(process, 100 + process);
  }
  void tell(int process, FrameKind kind) { supervisor.on_frame(process, {kind, {}}); }
  void put(int process, std::uint64_t hash = 1) { supervisor.on_frame(process, put_frame(hash, {})); }
  void put_all() {
    for (int process = 0; process < 3; ++process) put(process);
  }
  void exit_with(int process, int code) { supervisor.on_exit(process, {code, 0}); }
  // Rounds of half a second in which these processes send heartbeats.
  void pass(milliseconds time, const std::vector<int>& living) {
    for (milliseconds passed{0}; passed < time; passed += milliseconds(500)) {
      now += milliseconds(500);
      supervisor.begin_round(now);
      for (const int process : living) tell(process, FrameKind::kHeartbeat);
      supervisor.end_round();
    }
  }

  Supervisor::Time now{};
  Record record;
  Supervisor supervisor{3, Limits{}, kSecret, record, now};
};

}  // namespace

TEST_CASE("a process that was started is told at once who it is and the secret of the run", "[launch]") {
  Run run;
  REQUIRE(run.record.sent.size() == 3);
  for (int process = 0; process < 3; ++process) {
    const auto& [to, frame] = run.record.sent[static_cast<std::size_t>(process)];
    CHECK(to == process);
    const WelcomeBody welcome = parse_welcome(frame);
    CHECK(welcome.seat == seat_on_one_host(process, 3));
    CHECK(welcome.secret == kSecret);
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
  run.pass(milliseconds(100000), {});
  for (int process = 0; process < 3; ++process) run.exit_with(process, 0);
  CHECK(run.record.said.empty());
  CHECK(run.supervisor.exit_code() == 0);
}

TEST_CASE("the start is limited from the first that waits", "[launch]") {
  Run run;
  run.pass(milliseconds(100000), {0});
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

TEST_CASE("when the launcher itself was stopped nobody else is blamed", "[launch]") {
  Run run;
  run.put(0);
  run.put(1);
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

TEST_CASE("a second interruption kills at once", "[launch]") {
  Run run;
  run.put_all();
  run.supervisor.on_signal(SIGINT);
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

}  // namespace kaon::testing

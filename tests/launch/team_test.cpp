// SPDX-License-Identifier: Apache-2.0
// What a team tells of its processes, and in which order.
#include "kaon/runtime/launch/team.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::teams {

class Record final : public TeamEvents {
 public:
  void on_started(int, pid_t pid) override { pids.push_back(pid); }
  void on_frame(int process, const Frame& frame) override { frames.emplace_back(process, frame.kind); }
  void on_corrupt(int process, std::string_view) override { corrupt.push_back(process); }
  void on_closed(int process) override { closed.push_back(process); }
  void on_exit(int process, ExitStatus status) override {
    exits.emplace_back(process, status);
    if (written >= 0) ioctl(written, FIONREAD, &bytes_before_exit);
  }

  std::vector<pid_t> pids;
  std::vector<std::pair<int, FrameKind>> frames;
  std::vector<int> corrupt, closed;
  std::vector<std::pair<int, ExitStatus>> exits;
  int written = -1;  // where the output comes out
  int bytes_before_exit = 0;
};

// Standard output goes into a pipe meanwhile.
class Captured {
 public:
  Captured() : stdout_(dup(STDOUT_FILENO)) {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    reader_ = Descriptor(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
  }
  ~Captured() { dup2(stdout_.number(), STDOUT_FILENO); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  [[nodiscard]] int reader() const { return reader_.number(); }

 private:
  Descriptor stdout_;
  Descriptor reader_;
};

// Processes of a shell's script, which have all ended, of which nothing has been told.
struct Ended {
  explicit Ended(std::vector<std::string> words, int count = 3) : command(std::move(words)), processes(count) {
    team.start();
    for (const pid_t pid : record.pids) {
      siginfo_t info{};
      REQUIRE(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) == 0);
    }
  }
  ~Ended() { team.give_up(); }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;

  std::vector<std::string> command;
  int processes;
  Record record;
  Outputs outputs{processes, false};
  Team team{{command, {1024, 1024}, processes}, outputs, record};
};

std::vector<std::string> script(const std::string& text) { return {"/bin/sh", "-c", text}; }

TEST_CASE("processes that a signal has ended are told of before the others, each once", "[launch]") {
  Ended ended(script("if [ $KAON_PROCESS = 1 ]; then kill -9 $$; fi; exit 3"));
  using Exits = std::vector<std::pair<int, ExitStatus>>;
  ended.team.look_for_ends(true);
  Exits expected{{1, {0, SIGKILL}}};
  CHECK(ended.record.exits == expected);
  ended.team.look_for_ends(false);
  expected.insert(expected.end(), {{0, {3, 0}}, {2, {3, 0}}});
  CHECK(ended.record.exits == expected);
  ended.team.look_for_ends(false);
  CHECK(ended.record.exits == expected);
}

TEST_CASE("what a process has said is told before its end, and the end of its socket, too", "[launch]") {
  Ended ended({"/bin/bash", "-c", R"(printf '\0\0\0\0Kk\6\0' >&$KAON_BOOTSTRAP_FD)"}, 1);
  ended.team.look_for_ends(false);
  CHECK(ended.record.frames.size() == 1);
  CHECK(ended.record.closed == std::vector{0});
  CHECK(ended.record.exits.size() == 1);
}

TEST_CASE("what a process has written is out before its end is told", "[launch]") {
  int bytes = 0;
  {
    const Captured captured;  // also what Catch2 has to say
    Ended ended(script("if [ $KAON_PROCESS = 0 ]; then echo a line; kill -9 $$; fi"), 2);
    ended.record.written = captured.reader();
    ended.team.look_for_ends(true);
    bytes = ended.record.bytes_before_exit;
  }
  CHECK(bytes >= 7);  // sanitizers say more
}

TEST_CASE("a process that says what makes no sense is told of once, and heard no more", "[launch][bad input]") {
  Ended ended({"/bin/bash", "-c", "echo 'GET / HTTP/1.1 and more of it' >&$KAON_BOOTSTRAP_FD"}, 1);
  ended.team.look_for_ends(false);
  CHECK(ended.record.frames.empty());
  CHECK(ended.record.corrupt == std::vector{0});
  CHECK(ended.record.closed == std::vector{0});
}

TEST_CASE("a program that cannot be run is told of as such, not by its code", "[launch][bad input]") {
  Ended ended({"/no/such/program"}, 1);
  CHECK_THROWS_AS(ended.team.look_for_ends(false), UsageError);
  CHECK(ended.record.exits.empty());
}

TEST_CASE("a process that has been released is no zombie", "[launch]") {
  Ended ended(script("exit 0"), 2);
  ended.team.look_for_ends(false);
  for (const int process : {1, 0}) {
    const pid_t pid = ended.record.pids[static_cast<std::size_t>(process)];
    CHECK(kill(pid, 0) == 0);
    ended.team.release(process, false);
    CHECK(kill(pid, 0) != 0);
  }
}

}  // namespace kaon::testing::teams

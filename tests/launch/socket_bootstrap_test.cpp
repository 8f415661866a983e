// SPDX-License-Identifier: Apache-2.0
// threads: that of the process, which hears kaonrun
#include "kaon/runtime/launch/socket_bootstrap.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/frame_body.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::testing {
namespace {

// The next frame that is not a sign of life.
FrameKind next(Connection& kaonrun) {
  for (;;) {
    while (const auto frame = kaonrun.next())
      if (frame->kind != FrameKind::kHeartbeat) return frame->kind;
    pollfd polled{kaonrun.descriptor(), POLLIN, 0};
    REQUIRE(poll(&polled, 1, 20000) == 1);
    REQUIRE(kaonrun.receive());
  }
}

// One of two processes, and the end of its socket that kaonrun has.
struct Joined {
  Joined() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    kaonrun = Connection(Descriptor(ends[0]));
    kaonrun.send(welcome_frame({seat_on_one_host(1, 2), {}, {}}));
    process.emplace(Descriptor(ends[1]));
  }

  Connection kaonrun{Descriptor()};
  std::optional<SocketBootstrap> process;
};

// One of two processes, which is a process, and what it says on standard error.
struct Forked {
  explicit Forked(const std::function<void(SocketBootstrap&)>& act, const std::vector<Frame>& more = {}) {
    int sockets[2], pipes[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
    REQUIRE(pipe2(pipes, O_CLOEXEC) == 0);
    kaonrun = Connection(Descriptor(sockets[0]));
    kaonrun.send(welcome_frame({seat_on_one_host(1, 2), {}, {}}));
    for (const Frame& each : more) kaonrun.send(each);
    std::fflush(stdout);  // what Catch2 has said is not the process'
    pid = fork();
    if (pid == 0) {
      kaonrun.close();
      dup2(pipes[1], STDERR_FILENO);
      SocketBootstrap process{Descriptor(sockets[1])};
      act(process);
      _exit(0);
    }
    close(sockets[1]);
    close(pipes[1]);
    words = Descriptor(pipes[0]);
  }
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  void wait_for(FrameKind wanted) {
    while (next(kaonrun) != wanted) {
    }
  }
  ProgramRun finish() {
    ProgramRun run;
    char byte = 0;
    pollfd polled{words.number(), POLLIN, 0};
    while (poll(&polled, 1, 20000) == 1 && read(words.number(), &byte, 1) == 1) run.text += byte;
    REQUIRE((polled.revents & POLLHUP) != 0);
    int status = 0;
    waitpid(std::exchange(pid, -1), &status, 0);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
  }

  Connection kaonrun{Descriptor()};
  Descriptor words;
  pid_t pid = -1;
};

std::ptrdiff_t count_threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

}  // namespace

TEST_CASE("who aborts as kaonrun goes ends with its own code and words", "[launch]") {
  Forked process([](SocketBootstrap& bootstrap) { bootstrap.abort(5, "the disk is full"); });
  process.wait_for(FrameKind::kAbort);
  process.kaonrun.close();
  const ProgramRun run = process.finish();
  CHECK(run.code == 5);
  CHECK(run.text == "kaon: process 1: the disk is full\n");
}

TEST_CASE("who is released does not mind that kaonrun is gone", "[launch]") {
  Forked process([](SocketBootstrap& bootstrap) {
    const auto before = count_threads();
    bootstrap.arrive();
    while (count_threads() == before) sched_yield();  // the one that hears kaonrun ends with the socket
    _exit(bootstrap.is_released() ? 0 : 1);
  });
  process.wait_for(FrameKind::kArrive);
  process.kaonrun.send({FrameKind::kReleased, {}});
  process.kaonrun.close();
  const ProgramRun run = process.finish();
  CHECK(run.code == 0);
  CHECK(run.text.empty());
}

TEST_CASE("what kaonrun says right behind its welcome is heard at once", "[launch]") {
  Forked process([](SocketBootstrap& bootstrap) { bootstrap.fence(Bootstrap::kLauncherDecides); },
                 {end_frame(FrameKind::kEnd, 7, {})});
  CHECK(process.finish().code == 7);
}

TEST_CASE("all who are missing at a fence are named", "[launch][bad input]") {
  Forked process([](SocketBootstrap& bootstrap) {
    try {
      bootstrap.fence(std::chrono::milliseconds(1));
    } catch (const LostPeer& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  });
  process.wait_for(FrameKind::kAskMissing);
  process.kaonrun.send(missing_frame(std::array{0, 1}));
  CHECK_THAT(process.finish().text, contains_text("process 0, process 1 did not join the run within 1 ms"));
}

TEST_CASE("who is not released ends when kaonrun is gone", "[launch]") {
  Forked process([](SocketBootstrap& bootstrap) { bootstrap.fence(Bootstrap::kLauncherDecides); });
  process.wait_for(FrameKind::kJoin);
  process.kaonrun.close();
  const ProgramRun run = process.finish();
  CHECK(run.code == kExitLostPeer);
  CHECK(run.text == "kaon: process 1: ended because kaonrun is gone\n");
}

TEST_CASE("bytes of kaonrun's that make no sense end a process with a word", "[launch][bad input]") {
  Forked process([](SocketBootstrap& bootstrap) { bootstrap.fence(Bootstrap::kLauncherDecides); });
  process.wait_for(FrameKind::kJoin);
  process.kaonrun.send({FrameKind::kJoin, {}});
  check_end(process.finish(), kExitLostPeer, {"ended because kaonrun sent bytes that make no sense"});
}

TEST_CASE("contact data that no frame carries is refused before it is sent", "[launch][bad input]") {
  Joined joined;
  CHECK(next(joined.kaonrun) == FrameKind::kJoin);
  std::vector<std::byte> blob(kMaxBodyBytes - kMaxAroundBytes + 1);
  CHECK_THROWS_AS(joined.process->put(1, blob), UsageError);
  blob.pop_back();
  joined.process->put(1, std::move(blob));
  CHECK(next(joined.kaonrun) == FrameKind::kPut);
}

TEST_CASE("contact data of a process that is not there is refused before it is asked for", "[launch][bad input]") {
  Joined joined;
  for (const int process : {-1, 2}) CHECK_THROWS_AS(joined.process->get(process), UsageError);
  CHECK(next(joined.kaonrun) == FrameKind::kJoin);
  joined.process->arrive();
  CHECK(next(joined.kaonrun) == FrameKind::kArrive);
}

}  // namespace kaon::testing

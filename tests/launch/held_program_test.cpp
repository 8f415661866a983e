// SPDX-License-Identifier: Apache-2.0
// A program whose file does not come, as on a disk that does not answer.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <string>

#include "tests/launch/peers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"

namespace kaon::testing::peers {
namespace {

// A copy of /bin/true with a lease on it: who runs it waits for us, and the system tells us by SIGIO that somebody
// does.
class HeldProgram {
 public:
  HeldProgram() {
    std::filesystem::copy_file("/bin/true", path_);
    sigemptyset(&asked_);
    sigaddset(&asked_, SIGIO);
    sigprocmask(SIG_BLOCK, &asked_, &before_);
    file_ = Descriptor(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    is_held_ = fcntl(file_.number(), F_SETLEASE, F_WRLCK) == 0;
    if (!is_held_) WARN("not seen: the file system of " << path_ << " gives no leases");
  }
  HeldProgram(const HeldProgram&) = delete;
  HeldProgram& operator=(const HeldProgram&) = delete;
  ~HeldProgram() {
    file_.close();
    std::filesystem::remove(path_);
    const timespec no_time{};
    while (sigtimedwait(&asked_, nullptr, &no_time) > 0) continue;
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  [[nodiscard]] bool is_held() const { return is_held_; }
  [[nodiscard]] std::string path() const { return path_.string(); }
  void wait_until_run() const {
    const timespec limit{10, 0};
    REQUIRE(sigtimedwait(&asked_, nullptr, &limit) == SIGIO);
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("kaon-held-program-" + std::to_string(getpid()));
  Descriptor file_;
  bool is_held_ = false;
  sigset_t asked_{}, before_{};
};

}  // namespace

TEST_CASE("an interrupted run ends also when its program does not come", "[launch]") {
  const HeldProgram program;
  if (!program.is_held()) return;
  LaunchedRun run({"-n", "2", program.path()});
  program.wait_until_run();
  run.signal(SIGTERM);
  check_end(run.finish(kSoon), 128 + SIGTERM);
}

TEST_CASE("a program that does not come is waited for with a word about it", "[launch]") {
  const HeldProgram program;
  if (!program.is_held()) return;
  LaunchedRun run({"-n", "2", "--timeout-start", "0.3", program.path()});
  run.wait_for("no process has joined the run yet");
  run.signal(SIGTERM);
  CHECK(run.finish(kSoon).code == 128 + SIGTERM);
}

}  // namespace kaon::testing::peers

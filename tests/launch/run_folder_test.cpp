// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/run_folder.hpp"

#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"

namespace kaon::testing::folders {
namespace fs = std::filesystem;

// A folder that plays the shared memory of a host.
struct SharedMemory {
  SharedMemory() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~SharedMemory() { fs::remove_all(path); }
  std::string path = "/dev/shm/kaon-test-XXXXXX";
};

void leave_a_segment(const RunFolder& folder) { std::ofstream(folder.shared().path + "/segment") << "bytes"; }

TEST_CASE("a run's folder goes with all that is in it", "[launch][folder]") {
  const SharedMemory memory;
  {
    const RunFolder folder(memory.path);
    CHECK(folder.shared().free_bytes > 0);
    leave_a_segment(folder);
  }
  CHECK(fs::is_empty(memory.path));
}

TEST_CASE("a run's folder is for its user alone", "[launch][folder]") {
  const SharedMemory memory;
  const RunFolder folder(memory.path);
  struct stat found {};
  REQUIRE(stat(folder.shared().path.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0700);
}

TEST_CASE("what others have put in the place of a run's folder is left alone", "[launch][folder][strangers]") {
  const SharedMemory memory;
  const std::string elsewhere = memory.path + "/elsewhere";
  REQUIRE(fs::create_directory(elsewhere));
  std::ofstream(elsewhere + "/file") << "bytes";
  fs::create_directory_symlink(elsewhere, memory.path + "/kaon-run-link00");
  REQUIRE(mkfifo((memory.path + "/kaon-run-fifo00").c_str(), 0600) == 0);
  std::ofstream(memory.path + "/kaon-run-file00") << "bytes";
  const std::string left = memory.path + "/kaon-run-left00";  // of a run of ours that was killed
  REQUIRE(fs::create_directory(left));
  fs::create_directory_symlink(elsewhere, left + "/link");
  const RunFolder folder(memory.path);
  CHECK(fs::is_directory(folder.shared().path));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(elsewhere + "/file"));
  for (const char* name : {"link00", "fifo00", "file00"})
    CHECK(fs::exists(fs::symlink_status(memory.path + "/kaon-run-" + name)));
}

TEST_CASE("runs at the same time leave each other's folders alone", "[launch][folder]") {
  const SharedMemory memory;
  const RunFolder one(memory.path);
  leave_a_segment(one);
  const RunFolder other(memory.path);
  CHECK(one.shared().path != other.shared().path);
  CHECK(fs::exists(one.shared().path + "/segment"));
}

// Of a run that was killed while it had the folder, by itself or with all of its process group. Returns when it is
// gone; whoever keeps its folder may not be.
void be_killed_in(const SharedMemory& memory, int signal, bool with_group = false) {
  const pid_t killed = fork();
  if (killed == 0) {
    std::signal(signal, SIG_DFL);  // not the handler of the test program
    setpgid(0, 0);
    const RunFolder folder(memory.path);
    leave_a_segment(folder);
    kill(with_group ? 0 : getpid(), signal);
  }
  int status = 0;
  REQUIRE(waitpid(killed, &status, 0) == killed);
  REQUIRE(WIFSIGNALED(status));
}

void wait_until_empty(const SharedMemory& memory) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!fs::is_empty(memory.path) && std::chrono::steady_clock::now() < limit) sched_yield();
  CHECK(fs::is_empty(memory.path));
}

TEST_CASE("the folder of a run that is killed goes by itself", "[launch][folder]") {
  const SharedMemory memory;
  be_killed_in(memory, SIGKILL);
  wait_until_empty(memory);
}

TEST_CASE("the folder of a run that ends by a signal to its whole group goes by itself", "[launch][folder]") {
  const SharedMemory memory;
  be_killed_in(memory, SIGTERM, true);
  wait_until_empty(memory);
}

TEST_CASE("what a run has left that was killed with all its helpers is taken away by the next one",
          "[launch][folder]") {
  const SharedMemory memory;
  fs::create_directory(memory.path + "/kaon-run-killed");
  std::ofstream(memory.path + "/kaon-run-killed/segment") << "bytes";
  { const RunFolder next(memory.path); }
  CHECK(fs::is_empty(memory.path));
}

TEST_CASE("nothing of a run's folder is left running", "[launch][folder]") {
  const SharedMemory memory;
  { const RunFolder folder(memory.path); }
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("who waits for all children while there is a run's folder waits for none of its own", "[launch][folder]") {
  const SharedMemory memory;
  const RunFolder folder(memory.path);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("a run's folder goes while a process that was forked meanwhile lives on", "[launch][folder]") {
  const SharedMemory memory;
  pid_t forked = -1;
  {
    const RunFolder folder(memory.path);
    forked = fork();
    while (forked == 0) pause();
  }
  CHECK(fs::is_empty(memory.path));
  kill(forked, SIGKILL);
  CHECK(waitpid(forked, nullptr, 0) == forked);
}

TEST_CASE("what others keep in shared memory is left alone", "[launch][folder]") {
  const SharedMemory memory;
  std::ofstream(memory.path + "/other") << "bytes";
  fs::create_directory(memory.path + "/kaon-other");
  { const RunFolder folder(memory.path); }
  CHECK(fs::exists(memory.path + "/other"));
  CHECK(fs::exists(memory.path + "/kaon-other"));
}

TEST_CASE("what another user's run has left is left alone", "[launch][folder]") {
  if (geteuid() != 0) return;  // only root could take it away, and make a folder of another user
  const SharedMemory memory;
  const std::string others = memory.path + "/kaon-run-other";
  fs::create_directory(others);
  REQUIRE(chown(others.c_str(), 65534, 65534) == 0);
  { const RunFolder folder(memory.path); }
  CHECK(fs::exists(others));
}

TEST_CASE("without shared memory there is no folder", "[launch][folder]") {
  const RunFolder folder("/no/such/folder");
  CHECK(folder.shared().path.empty());
}

}  // namespace kaon::testing::folders

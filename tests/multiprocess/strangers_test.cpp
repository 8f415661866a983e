// SPDX-License-Identifier: Apache-2.0
// Only a run's own processes take part in it, and what they share is theirs alone.
#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::strangers {
namespace fs = std::filesystem;

const std::string kLauncher = program("kaonrun");
const std::string kFailing = test_program("failing_program");

// The sockets of a process, as /proc names them: by their inodes.
std::set<std::string> sockets_of(pid_t pid) {
  std::set<std::string> found;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    const std::string target = fs::read_symlink(entry, gone).string();
    if (target.starts_with("socket:[")) found.insert(target.substr(8, target.size() - 9));
  }
  return found;
}

// The inodes of all sockets of the internet protocols, connected or not.
std::set<std::string> internet_sockets(pid_t pid) {
  constexpr int kColumnOfInode = 9;
  std::set<std::string> found;
  for (const char* protocol : {"tcp", "tcp6", "udp", "udp6", "raw", "raw6"}) {
    std::ifstream table("/proc/" + std::to_string(pid) + "/net/" + protocol);
    std::string line;
    std::getline(table, line);  // the names of the columns
    while (std::getline(table, line)) {
      std::istringstream columns(line);
      std::string column;
      for (int i = 0; i <= kColumnOfInode; ++i) columns >> column;
      found.insert(column);
    }
  }
  return found;
}

int count_internet_sockets(pid_t pid) {
  const std::set<std::string> all = internet_sockets(pid);
  int count = 0;
  for (const std::string& inode : sockets_of(pid)) count += all.contains(inode) ? 1 : 0;
  return count;
}

TEST_CASE("a message of a stranger is not obeyed", "[multiprocess][strangers]") {
  const ProgramRun run = run_program({kLauncher, "-n", "2", test_program("stranger_program"), "--pes", "1"});
  CAPTURE(run.text);
  CHECK(run.code == 3);
  CHECK(run.text.find("from a process that is not one of this run") != std::string::npos);
}

TEST_CASE("processes of one host have no socket that another host could reach", "[multiprocess][strangers]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2)) {
    CHECK_FALSE(sockets_of(pid).empty());  // that to kaonrun
    CHECK(count_internet_sockets(pid) == 0);
  }
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

// The folder of a run, by what one of its processes has mapped.
std::string run_folder(pid_t pid) {
  const std::string prefix = "/dev/shm/kaon-run-";
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (const auto at = line.find(prefix); at != line.npos)
      return line.substr(at, line.find('/', at + prefix.size()) - at);
  return {};
}

TEST_CASE("nothing is left in shared memory when all processes of a run are killed", "[multiprocess][strangers]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  const std::string folder = run_folder(pids[0]);
  REQUIRE_FALSE(folder.empty());
  CHECK(run_folder(pids[1]) == folder);
  REQUIRE(fs::exists(folder));
  run.signal(SIGKILL);
  for (const pid_t pid : pids) kill(pid, SIGKILL);
  run.finish();
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (fs::exists(folder) && std::chrono::steady_clock::now() < limit) sched_yield();
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("nothing is left in shared memory when a process is killed", "[multiprocess][strangers]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  const std::string folder = run_folder(pids[0]);
  REQUIRE(fs::exists(folder));
  kill(pids[1], SIGKILL);
  CHECK(run.finish().code == 128 + SIGKILL);
  CHECK_FALSE(fs::exists(folder));
}

}  // namespace kaon::testing::strangers

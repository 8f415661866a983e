// SPDX-License-Identifier: Apache-2.0
// Only a run's own processes take part in it, and what they share is theirs alone.
#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing::strangers {
namespace fs = std::filesystem;

const std::string kLauncher = program("kaonrun");
const std::string kFailing = test_program("failing_program");

int count_internet_sockets(pid_t pid) {
  const std::set<std::string> own = sockets_of(pid);
  std::set<std::string> found;
  for (const InternetSocket& socket : internet_sockets(pid, {"tcp", "tcp6", "udp", "udp6", "raw", "raw6"}))
    if (own.contains(socket.inode)) found.insert(socket.inode);
  return static_cast<int>(found.size());
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

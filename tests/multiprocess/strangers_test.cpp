// SPDX-License-Identifier: Apache-2.0
// Only a run's own processes take part in it, and what they share is theirs alone.
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/ucx_stranger.hpp"
#include "tests/support/variable.hpp"

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

TEST_CASE("the sockets of a run that have names are in its folder", "[multiprocess][strangers]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2)) {
    CHECK_FALSE(named_unix_sockets(pid).empty());
    for (const std::string& name : named_unix_sockets(pid)) CHECK(name.starts_with(run_folder(pid) + "/"));
    CHECK(named_unix_sockets(parent_of(pid)).empty());  // kaonrun's
  }
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

// What a process of another user finds: 0, it has reached one of the sockets.
int reach_as_nobody(const std::vector<std::string>& sockets) {
  constexpr uid_t kNobody = 65534;
  const pid_t other = fork();
  if (other == 0) {
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(2);
    for (const std::string& socket : sockets)
      if (send_datagram(socket, 1)) _exit(0);
    _exit(1);
  }
  int status = -1;
  waitpid(other, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("another user of the host reaches no socket of a run", "[multiprocess][strangers]") {
  if (geteuid() != 0) {
    WARN("not seen: root alone becomes another user");
    return;
  }
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2)) {
    std::vector<std::string> sockets = named_unix_sockets(pid);
    for (std::string& name : sockets)
      if (name.starts_with('@')) name[0] = '\0';
    CHECK(reach_as_nobody(sockets) == 1);
  }
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

TEST_CASE("a run over TCP on one host listens at the loopback interface alone", "[multiprocess][strangers]") {
  const Variable transports("UCX_TLS", "tcp");
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2)) {
    const std::set<std::string> own = sockets_of(pid);
    int listening = 0;
    for (const InternetSocket& socket : internet_sockets(pid, {"tcp", "tcp6"})) {
      if (!own.contains(socket.inode) || socket.state != "0A") continue;
      ++listening;
      CHECK(socket.local.starts_with("0100007F:"));
    }
    CHECK(listening > 0);
  }
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

// Port of a listening socket at the loopback interface.
std::vector<sockaddr_in> ports_of(pid_t pid) {
  const std::set<std::string> own = sockets_of(pid);
  std::vector<sockaddr_in> found;
  for (const InternetSocket& socket : internet_sockets(pid, {"tcp"})) {
    if (!own.contains(socket.inode) || socket.state != "0A") continue;
    sockaddr_in port{};
    port.sin_family = AF_INET;
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    port.sin_port = htons(static_cast<std::uint16_t>(std::stoul(socket.local.substr(9), nullptr, 16)));
    found.push_back(port);
  }
  return found;
}

TEST_CASE("a run over TCP goes on whatever strangers send", "[multiprocess][strangers]") {
  const Variable transports("UCX_TLS", "tcp");
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2))
    for (const sockaddr_in& port : ports_of(pid)) CHECK(is_every_attack_turned_away(port, nullptr, 1));
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

TEST_CASE("the environment of a run's processes holds numbers, and no secret", "[multiprocess][strangers]") {
  LaunchedRun run({"-n", "2", kFailing, "wait", "--pes", "1"});
  for (const pid_t pid : run.wait_until_ready(2)) {
    std::ifstream variables("/proc/" + std::to_string(pid) + "/environ");
    for (std::string variable; std::getline(variables, variable, '\0');) {
      if (!variable.starts_with("KAON_BOOTSTRAP") && !variable.starts_with("KAON_PROCESS")) continue;
      const std::string value = variable.substr(variable.find('=') + 1);
      CHECK(value.find_first_not_of("0123456789") == value.npos);
      CHECK(value.size() < 5);
    }
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
  CHECK(is_gone_soon(folder));
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

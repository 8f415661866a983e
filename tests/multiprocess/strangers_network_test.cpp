// SPDX-License-Identifier: Apache-2.0
// A stranger on another host, which is a namespace of this one, joined to the run's by a wire.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check_end.hpp"
#include "tests/support/launched_run.hpp"
#include "tests/support/process_facts.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/ucx_stranger.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::strangers_network {

// Of both ends of a wire, as the system's table has them, too.
struct Address {
  const char* text;
  const char* in_table;
};
constexpr Address kHere{"10.99.9.1", "0109630A:"}, kThere{"10.99.9.2", "0209630A:"};

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

std::string in_new_network(const std::string& script) { return "exec unshare --net --mount sh -c '" + script + "'"; }

// With both ends of a wire, one of which has an address.
std::string in_network_with_wire(const std::string& command) {
  return in_new_network(
      "mount -t sysfs sysfs /sys && ip link set lo up && ip link add kaon0 type veth peer name kaon1 && "
      "ip address add " +
      std::string(kHere.text) + "/24 dev kaon0 && ip link set kaon0 up && ip link set kaon1 up && exec " + command);
}

bool can_make_wire() { return geteuid() == 0 && run_program(shell(in_network_with_wire("true"))).code == 0; }

void require_run(pid_t in_network_of, const std::string& command) {
  const ProgramRun run = run_program(shell("exec nsenter -t " + std::to_string(in_network_of) + " -n " + command));
  CAPTURE(run.text);
  REQUIRE(run.code == 0);
}

// Of a process, at the interface of the wire.
std::vector<sockaddr_in> ports_of(pid_t pid, const Address& address) {
  const std::set<std::string> own = sockets_of(pid);
  std::vector<sockaddr_in> ports;
  for (const InternetSocket& socket : internet_sockets(pid, {"tcp"})) {
    if (!own.contains(socket.inode) || socket.state != "0A" || !socket.local.starts_with(address.in_table)) continue;
    sockaddr_in& port = ports.emplace_back();
    port.sin_family = AF_INET;
    inet_pton(AF_INET, address.text, &port.sin_addr);
    port.sin_port = htons(static_cast<std::uint16_t>(std::stoul(socket.local.substr(9), nullptr, 16)));
  }
  return ports;
}

// A process that is there: 0, it has reached the port and was turned away whatever it sent.
int attack_from(pid_t in_network_of, const sockaddr_in& port) {
  const pid_t stranger = fork();
  if (stranger == 0) {
    const int network = open(("/proc/" + std::to_string(in_network_of) + "/ns/net").c_str(), O_RDONLY);
    if (setns(network, CLONE_NEWNET) != 0) _exit(3);
    if (!TcpStranger(port).is_open()) _exit(2);
    _exit(is_every_attack_turned_away(port, nullptr, 1) ? 0 : 1);
  }
  int status = -1;
  waitpid(stranger, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void check_attacks(pid_t in_network_of, const std::vector<sockaddr_in>& ports) {
  CHECK_FALSE(ports.empty());
  for (const sockaddr_in& port : ports) CHECK(attack_from(in_network_of, port) == 0);
}

TEST_CASE("a stranger on another host is turned away whatever he sends", "[multiprocess][strangers]") {
  if (!can_make_wire()) {
    WARN("not seen: root makes hosts, where the system lets him");
    return;
  }
  const Variable transports("UCX_TLS", "tcp");
  const std::string launch = program("kaonrun") + " -n 2 " + test_program("failing_program");
  LaunchedRun run = LaunchedRun::of_program(shell(in_network_with_wire(launch + " wait --pes 1 --interface kaon0")));
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  LaunchedRun other = LaunchedRun::of_program(shell(in_new_network("echo ready 0 pid $$; exec tail -f /dev/null")));
  const pid_t there = other.wait_until_ready(1)[0];
  require_run(pids[0], "ip link set kaon1 netns " + std::to_string(there));
  require_run(there, "ip address add 10.99.9.2/24 dev kaon1");
  require_run(there, "ip link set kaon1 up");
  for (const pid_t pid : pids) check_attacks(there, ports_of(pid, kHere));
  other.signal(SIGKILL);
  run.signal(SIGTERM);
  CHECK(run.finish().code == 143);
}

// Also those on the run's own hosts, whose addresses are those of the run.
TEST_CASE("a run on two hosts goes on whatever strangers on these send", "[multiprocess][strangers]") {
  if (!can_make_wire()) {
    WARN("not seen: root makes hosts, where the system lets him");
    return;
  }
  LaunchedRun run = LaunchedRun::of_program({test_program("two_hosts_program")});
  const std::vector<pid_t> pids = run.wait_until_ready(2);
  for (const pid_t stranger : pids) {
    check_attacks(stranger, ports_of(pids[0], kHere));
    check_attacks(stranger, ports_of(pids[1], kThere));
  }
  run.type("\n");
  check_end(run.finish(), 0, {"answers of another host: right"});
}

}  // namespace kaon::testing::strangers_network

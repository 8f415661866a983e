// SPDX-License-Identifier: Apache-2.0
#include "tests/launchers/hosts.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::testing {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInterfaceOfTrial = "kaon0";
constexpr const char* kNetwork = "10.99.7.0/24";

// What a host does: its own view of the system, then nothing, until it is ended.
std::string life(int host) {
  return "hostname kaon-host" + std::to_string(host) +
         " && mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /dev/shm && ip link set lo up && echo up && exec cat";
}

// Each question of `has_come` starts a process, which takes its time.
void wait_until(const std::function<bool()>& has_come) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!has_come()) REQUIRE(std::chrono::steady_clock::now() < until);
}

void require_run(const std::vector<std::string>& command) {
  const ProgramRun run = run_program(command);
  INFO(run.text);
  REQUIRE(run.code == 0);
}

}  // namespace

bool can_make_hosts() {
  if (geteuid() != 0) return false;
  return run_program({tool("unshare"), "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--mount-proc",
                      tool("ip"), "link", "add", kInterfaceOfTrial, "type", "veth", "peer", "name", "kaon1"})
             .code == 0;
}

bool cannot_make_hosts() {
  if (can_make_hosts()) return false;
  WARN("not seen: hosts are made by root, where the system lets him");
  return true;
}

Hosts::Hosts() : folder_(fs::temp_directory_path() / "kaon-hosts-XXXXXX") {
  REQUIRE(mkdtemp(folder_.data()) != nullptr);
  start(0, {});
  start(1, {"--pid", "--fork", "--kill-child", "--mount-proc"});
  join();
  write_agent();
}

Hosts::~Hosts() {
  for (auto& host : hosts_)
    if (host != nullptr) host->signal(SIGKILL);
  fs::remove_all(folder_);
}

// The shell says its number and becomes unshare, which is the host, or the process above it.
void Hosts::start(int host, const std::vector<std::string>& more) {
  std::string command =
      "echo ready 0 pid $$; exec " + tool("unshare") + " --net --uts --ipc --mount --propagation private";
  for (const std::string& option : more) command += " " + option;
  command += " sh -c '" + life(host) + "'";
  auto& run = hosts_[static_cast<std::size_t>(host)];
  run.reset(new LaunchedRun(LaunchedRun::of_program({tool("sh"), "-c", command})));
  const std::string pid = std::to_string(run->wait_until_ready(1)[0]);
  run->wait_until_said("up\n");
  std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
  std::string child;
  pids_[static_cast<std::size_t>(host)] = children >> child ? child : pid;
}

void Hosts::join() const {
  const std::string ip = tool("ip");
  require_run({ip, "link", "add", kInterface, "netns", pids_[0], "type", "veth", "peer", "name", kInterface, "netns",
               pids_[1]});
  for (int host = 0; host < 2; ++host) {
    const std::string address = std::string(kAddresses[static_cast<std::size_t>(host)]) + "/24";
    require_run(on(host, {ip, "address", "add", address, "dev", kInterface}));
    require_run(on(host, {ip, "link", "set", kInterface, "up"}));
  }
  for (int host = 0; host < 2; ++host) wait_until_carried(host);
}

void Hosts::wait_until_carried(int host, const std::string& interface) const {
  const std::string state = "/sys/class/net/" + interface + "/operstate";
  wait_until([&] { return run_program(on(host, {tool("cat"), state})).text == "up\n"; });
}

// What mpirun calls in the place of ssh, and which looks for the host as that does: agent HOST COMMAND ...
void Hosts::write_agent() const {
  std::ofstream(agent()) << "#!/bin/sh\n"
                         << tool("getent") << " ahosts $1 > /dev/null || { echo cannot resolve $1 >&2; exit 255; }\n"
                         << "shift\nexec " << tool("nsenter") << " -t " << pids_[1]
                         << " -n -u -i -m -p -- sh -c \"$*\"\n";
  REQUIRE(chmod(agent().c_str(), S_IRWXU) == 0);
}

std::vector<std::string> Hosts::on(int host, const std::vector<std::string>& command) const {
  std::vector<std::string> words{tool("nsenter"), "-t", pids_[static_cast<std::size_t>(host)], "-n", "-u", "-i", "-m"};
  if (host == 1) words.emplace_back("-p");
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::vector<std::string> Hosts::mpirun(const std::vector<std::string>& program) const {
  return mpirun(program, Where());
}

std::vector<std::string> Hosts::mpirun(const std::vector<std::string>& program, const Where& where) const {
  const std::string first = std::string(kAddresses[0]) + ":2", both = first + "," + where.second + ":2";
  std::vector<std::string> words{"--mca",
                                 "plm_rsh_agent",
                                 agent(),
                                 "--mca",
                                 "oob_tcp_if_include",
                                 kNetwork,
                                 "--host",
                                 where.is_local ? first : both,
                                 "-n",
                                 where.is_local ? "2" : "4"};
  words.insert(words.end(), program.begin(), program.end());
  words.insert(words.end(), {"--pes", "1", "--interface", where.interface});
  return on(0, testing::mpirun(words));
}

long Hosts::wire_bytes() const {
  long bytes = 0;
  for (const char* direction : {"tx_bytes", "rx_bytes"})
    bytes += std::stol(
        run_program(on(0, {tool("cat"), std::string("/sys/class/net/") + kInterface + "/statistics/" + direction}))
            .text);
  return bytes;
}

void Hosts::wait_for_traffic(long bytes) const {
  wait_until([this, target = wire_bytes() + bytes] { return wire_bytes() >= target; });
}

// Lines of names and of numbers take turns.
long Hosts::count_on(int host, const std::string& event) const {
  std::istringstream table(run_program(on(host, {tool("cat"), "/proc/net/netstat", "/proc/net/snmp"})).text);
  for (std::string names, numbers; std::getline(table, names) && std::getline(table, numbers);) {
    std::istringstream name_list(names), number_list(numbers);
    for (std::string name, number; name_list >> name && number_list >> number;)
      if (name == event) return std::stol(number);
  }
  FAIL("the system does not count " << event);
  return 0;
}

long Hosts::count(const std::string& event) const { return count_on(0, event) + count_on(1, event); }

void Hosts::wait_for(const std::string& event, long times) const {
  wait_until([&, target = count(event) + times] { return count(event) >= target; });
}

void Hosts::kill_second() {
  hosts_[1]->signal(SIGKILL);
  hosts_[1].reset();
}

void Hosts::signal_second(const std::string& signal, const std::string& program) const {
  require_run(on(1, {tool("pkill"), "-" + signal, program}));
}

void Hosts::cut_wire(int host) const { require_run(on(host, {tool("ip"), "link", "set", kInterface, "down"})); }

void Hosts::mend_wire(int host) const { require_run(on(host, {tool("ip"), "link", "set", kInterface, "up"})); }

// Which packets get lost, a program of the packet filter says, by a random number; they go to an interface that is
// down.
bool Hosts::spoil_wire() const {
  const std::string tc = tool("tc"), unlucky = "4,32 0 0 4294963256,53 0 1 85899345,6 0 0 0,6 0 0 1";
  for (int host = 0; host < 2; ++host) {
    const std::vector<std::vector<std::string>> commands{
        {tool("ip"), "link", "add", "nowhere", "type", "veth", "peer", "name", "nowhere1"},
        {tc, "qdisc", "add", "dev", kInterface, "root", "tbf", "rate", "100mbit", "burst", "64kb", "limit", "128kb"},
        {tc, "qdisc", "add", "dev", kInterface, "ingress"},
        {tc, "filter", "add", "dev", kInterface, "ingress", "protocol", "ip", "bpf", "bytecode", unlucky, "action",
         "mirred", "egress", "redirect", "dev", "nowhere"}};
    for (const auto& command : commands)
      if (run_program(on(host, command)).code != 0) return false;
  }
  return true;
}

}  // namespace kaon::testing

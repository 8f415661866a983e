// SPDX-License-Identifier: Apache-2.0
#include "tests/launchers/hosts.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/launchers/tools.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"

namespace kaon::testing {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInterfaceOfTrial = "kaon0";
constexpr std::array kAddresses{"10.99.7.1", "10.99.7.2"};

// What a host does: its own view of the system, then nothing, until it is ended.
std::string life(int host) {
  return "hostname kaon-host" + std::to_string(host) +
         " && mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /dev/shm && ip link set lo up && echo up && exec cat";
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

// Each question takes cat its time.
void Hosts::wait_until_carried(int host) const {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const std::string state = std::string("/sys/class/net/") + kInterface + "/operstate";
  while (run_program(on(host, {tool("cat"), state})).text != "up\n") REQUIRE(std::chrono::steady_clock::now() < until);
}

// What mpirun calls in the place of ssh: agent HOST COMMAND ...
void Hosts::write_agent() const {
  std::ofstream(agent()) << "#!/bin/sh\nshift\nexec " << tool("nsenter") << " -t " << pids_[1]
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

std::vector<std::string> Hosts::mpirun(const std::vector<std::string>& program, bool is_local) const {
  const std::string first = std::string(kAddresses[0]) + ":2", both = first + "," + kAddresses[1] + ":2";
  std::vector<std::string> words{"--mca",
                                 "plm_rsh_agent",
                                 agent(),
                                 "--mca",
                                 "oob_tcp_if_include",
                                 kInterface,
                                 "--host",
                                 is_local ? first : both,
                                 "-n",
                                 is_local ? "2" : "4"};
  words.insert(words.end(), program.begin(), program.end());
  words.insert(words.end(), {"--pes", "1", "--interface", kInterface});
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

void Hosts::kill_second() {
  hosts_[1]->signal(SIGKILL);
  hosts_[1].reset();
}

void Hosts::cut_wire() const { require_run(on(0, {tool("ip"), "link", "set", kInterface, "down"})); }

}  // namespace kaon::testing

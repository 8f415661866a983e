// SPDX-License-Identifier: Apache-2.0
#include "tests/launchers/tools.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <set>

#include "kaon/runtime/launch/descriptor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process_facts.hpp"

namespace kaon::testing {
namespace fs = std::filesystem;

std::string tool(const std::string& name) {
  for (const char* folder : {"/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"})
    if (std::string path = folder + ("/" + name); fs::exists(path)) return path;
  FAIL(name << " is not installed");
  return {};
}

std::vector<std::string> mpirun(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{tool("mpirun.openmpi"), "--allow-run-as-root", "--oversubscribe"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<int> free_ports(int count) {
  std::vector<launch::Descriptor> held;  // all at once, so that no two are the same
  std::vector<int> ports;
  for (int i = 0; i < count; ++i) {
    held.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(held.back().number(), generic, bytes) == 0);
    REQUIRE(getsockname(held.back().number(), generic, &bytes) == 0);
    ports.push_back(ntohs(address.sin_port));
  }
  return ports;
}

// What a daemon of Slurm has left open for all that it starts is none of theirs.
std::vector<std::string> listening_addresses(int pid) {
  std::set<std::string> own = sockets_of(pid);
  for (const std::string& inherited : sockets_of(parent_of(pid))) own.erase(inherited);
  std::vector<std::string> addresses;
  for (const InternetSocket& socket : internet_sockets(pid, {"tcp", "tcp6"}))
    if (socket.state == "0A" && own.contains(socket.inode))
      addresses.push_back(socket.local.substr(0, socket.local.find(':')));
  return addresses;
}

}  // namespace kaon::testing

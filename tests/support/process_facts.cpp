// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process_facts.hpp"

#include <sched.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace kaon::testing {
namespace fs = std::filesystem;

namespace {

// Of a line of what the system tells about a process; empty: it does not.
std::string in_status(pid_t pid, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return line.substr(name.size());
  return {};
}

}  // namespace

pid_t parent_of(pid_t pid) {
  const std::string parent = in_status(pid, "PPid:");
  return parent.empty() ? 0 : std::stoi(parent);
}

bool is_stopped(pid_t pid) { return in_status(pid, "State:").find('T') != std::string::npos; }

std::set<std::string> sockets_of(pid_t pid) {
  std::set<std::string> found;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    const std::string target = fs::read_symlink(entry, gone).string();
    if (target.starts_with("socket:[")) found.insert(target.substr(8, target.size() - 9));
  }
  return found;
}

std::vector<InternetSocket> internet_sockets(pid_t pid, const std::vector<std::string>& protocols) {
  constexpr int kBetweenStateAndInode = 5;
  std::vector<InternetSocket> found;
  for (const std::string& protocol : protocols) {
    std::ifstream table("/proc/" + std::to_string(pid) + "/net/" + protocol);
    std::string line;
    std::getline(table, line);  // the names of the columns
    while (std::getline(table, line)) {
      std::istringstream columns(line);
      InternetSocket socket;
      std::string other;
      columns >> other >> socket.local >> other >> socket.state;
      for (int i = 0; i < kBetweenStateAndInode; ++i) columns >> other;
      columns >> socket.inode;
      found.push_back(socket);
    }
  }
  return found;
}

std::vector<std::string> named_unix_sockets(pid_t pid) {
  constexpr int kBeforeInode = 6;
  const std::set<std::string> own = sockets_of(pid);
  std::ifstream table("/proc/" + std::to_string(pid) + "/net/unix");
  std::vector<std::string> found;
  for (std::string line; std::getline(table, line);) {
    std::istringstream columns(line);
    std::string other, inode, name;
    for (int i = 0; i < kBeforeInode; ++i) columns >> other;
    if (columns >> inode >> name && own.contains(inode)) found.push_back(name);
  }
  return found;
}

std::string run_folder(pid_t pid) {
  const std::string prefix = "/dev/shm/kaon-run-";
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (const auto at = line.find(prefix); at != line.npos)
      return line.substr(at, line.find('/', at + prefix.size()) - at);
  return {};
}

bool is_gone_soon(const std::string& folder) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (fs::exists(folder) && std::chrono::steady_clock::now() < until) sched_yield();
  return !fs::exists(folder);
}

}  // namespace kaon::testing

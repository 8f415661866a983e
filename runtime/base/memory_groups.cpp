// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/memory_groups.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace kaon::runtime {
namespace fs = std::filesystem;
namespace {

constexpr std::array kLimits{"memory.max", "memory.limit_in_bytes"};  // of version 2, of version 1
constexpr std::array kEvents{"memory.events", "memory.oom_control"};
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62;  // version 1 writes a number as large as there is

// Nothing: there is no such file, or "max" in it.
std::optional<std::uint64_t> limit_in(const fs::path& file) {
  std::ifstream text(file);
  std::uint64_t bytes = 0;
  if (!(text >> bytes) || bytes >= kNoLimit) return std::nullopt;
  return bytes;
}

std::uint64_t kills_in(const fs::path& file) {
  std::ifstream text(file);
  std::uint64_t count = 0;
  for (std::string name; text >> name >> count;)
    if (name == "oom_kill") return count;
  return 0;
}

bool names_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

}  // namespace

// Lines "4:memory:/jobs/7" of version 1, "0::/jobs/7" of version 2.
MemoryGroups::MemoryGroups(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) add(mounts, group);
    if (names_memory(controllers)) add(mounts / "memory", group);
  }
}

// A container may see its own group as the root, under the name that it has outside.
void MemoryGroups::add(const fs::path& mount, const std::string& group) {
  fs::path name = group;
  while (name.has_relative_path()) {
    if (fs::exists(mount / name.relative_path())) groups_.push_back({mount / name.relative_path(), name});
    name = name.parent_path();
  }
  groups_.push_back({mount, "/"});
}

std::optional<MemoryLimit> MemoryGroups::limit() const {
  std::optional<MemoryLimit> tightest;
  for (const Group& group : groups_)
    for (const char* file : kLimits)
      if (const auto bytes = limit_in(group.folder / file); bytes && (!tightest || *bytes < tightest->bytes))
        tightest = MemoryLimit{*bytes, "control group " + group.name};
  return tightest;
}

std::uint64_t MemoryGroups::kills() const {
  std::uint64_t most = 0;  // in version 2 groups count for those within them, too
  if (!groups_.empty())
    for (const char* file : kEvents) most = std::max(most, kills_in(groups_.front().folder / file));
  return most;
}

}  // namespace kaon::runtime

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

}  // namespace

std::optional<MemoryLimit> MemoryGroups::limit() const {
  std::optional<MemoryLimit> tightest;
  for (const ControlGroup& group : groups_)
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

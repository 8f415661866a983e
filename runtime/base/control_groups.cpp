// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/control_groups.hpp"

#include <fstream>

namespace kaon::runtime {
namespace fs = std::filesystem;
namespace {

// A container may see its own group as the root, under the name that it has outside.
void add(std::vector<ControlGroup>& groups, const fs::path& mount, const std::string& group) {
  fs::path name = group;
  while (name.has_relative_path()) {
    if (fs::exists(mount / name.relative_path())) groups.push_back({mount / name.relative_path(), name});
    name = name.parent_path();
  }
  groups.push_back({mount, "/"});
}

bool names(const std::string& controllers, std::string_view controller) {
  return ("," + controllers + ",").find("," + std::string(controller) + ",") != std::string::npos;
}

}  // namespace

// Lines "4:memory:/jobs/7" of version 1, whose controllers have folders of their names, and "0::/jobs/7" of version 2.
std::vector<ControlGroup> control_groups(std::string_view controller, const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::vector<ControlGroup> groups;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) add(groups, mounts, group);
    if (names(controllers, controller)) add(groups, mounts / controller, group);
  }
  return groups;
}

}  // namespace kaon::runtime

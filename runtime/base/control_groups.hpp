// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// A control group, whose limits a process shares with others: that of a batch system's job, or of a container.
struct ControlGroup {
  std::filesystem::path folder;  // of its files
  std::string name;              // "/jobs/7"
};

/// The groups, of version 1 or 2, in which this process and those that it starts are for a controller ("cpu",
/// "memory"): the own one first, then those around it. Below `root` are proc/self/cgroup and sys/fs/cgroup: the
/// system's, or a test's.
std::vector<ControlGroup> control_groups(std::string_view controller, const std::filesystem::path& root = "/");

}  // namespace kaon::runtime

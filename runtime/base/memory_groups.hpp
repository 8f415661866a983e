// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kaon/runtime/base/control_groups.hpp"
#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

// Memory that some processes may take together.
struct MemoryLimit {
  std::uint64_t bytes = 0;
  std::string whose;  // "control group /jobs/7", "SLURM_MEM_PER_NODE=4096"
};

// The control groups, of version 1 or 2, that limit the memory of this process and of those that it starts: a batch
// system's job, a container. Who passes a limit is killed without a word.
class MemoryGroups {
 public:
  // Below `root` are proc/self/cgroup and sys/fs/cgroup: the system's, or a test's.
  explicit MemoryGroups(const std::filesystem::path& root = "/") : groups_(control_groups("memory", root)) {}

  // The tightest. Nothing: there is none.
  [[nodiscard]] std::optional<MemoryLimit> limit() const;
  // How many processes of the own group have been killed for want of memory.
  [[nodiscard]] std::uint64_t kills() const;

 private:
  std::vector<ControlGroup> groups_;  // the own one first, then those around it
};

}  // namespace kaon::runtime

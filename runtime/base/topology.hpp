// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Processors that a thread may run on, a bit each. Empty: the system did not say.
using ProcessorMask = std::vector<unsigned long>;
ProcessorMask processors_of_this_thread();

/// Hardware threads this process may use: as many as cores, or more. Costs one system call.
int allowed_processors();
/// Cores this process may use: its affinity, cut down by the quota of its control group. At least 1.
int usable_cores();
/// PEs of a process when nobody says how many: its share of the usable cores, at least 1. `processes_on_cores`, here
/// and below: how many processes may use the cores that this one may use.
int default_pes(int processes_on_cores);
bool is_oversubscribed(int processes_on_cores, int pes_per_process);

enum class Pinning {
  pinned,
  too_few_cores,  // more PEs than cores: the operating system shares them better
  bound_already,  // a launcher chose cores for the process, and is not overruled
  impossible,     // the operating system did not allow it
  not_wanted,     // --no-pin
};
/// Binds the calling thread, which drives one PE, to a core of its own. `place` counts from 0, among
/// the processes that may use the same cores.
Pinning pin_this_thread(int place, int processes_on_cores, int local_pe, int pes_per_process);

/// The processors that the calling thread may use, given back to it, by itself, at the end of the object's life.
class ThreadAffinity {
 public:
  ThreadAffinity();
  ThreadAffinity(const ThreadAffinity&) = delete;
  ThreadAffinity& operator=(const ThreadAffinity&) = delete;
  ~ThreadAffinity();

 private:
  ProcessorMask mask_;
};

/// Whole cores that the text of a control group's cpu.max grants, at least 1; a large number when it sets no limit.
int cores_of_quota(std::string_view cpu_max);
/// The least that the process' control group, of version 1 or 2, and those around it grant. Below `root` are
/// proc/self/cgroup and sys/fs/cgroup: the system's, or a test's.
int cores_of_quotas(const std::filesystem::path& root = "/");

}  // namespace kaon::runtime

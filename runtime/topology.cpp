// SPDX-License-Identifier: Apache-2.0
#include "runtime/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

namespace kaon {
namespace {

/// The machine as this process may use it.
class Machine {
 public:
  Machine() {
    hwloc_topology_init(&topology_);
    hwloc_topology_load(topology_);
    allowed_ = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology_, allowed_, HWLOC_CPUBIND_PROCESS) != 0)
      hwloc_bitmap_copy(allowed_, hwloc_topology_get_allowed_cpuset(topology_));
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    hwloc_bitmap_free(allowed_);
    hwloc_topology_destroy(topology_);
  }

  int cores() const { return std::max(1, hwloc_get_nbobjs_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_CORE)); }
  /// Somebody else has chosen cores for us.
  bool is_bound() const { return !hwloc_bitmap_isincluded(hwloc_topology_get_allowed_cpuset(topology_), allowed_); }
  bool bind_thread(int core) const {
    const hwloc_obj_t object =
        hwloc_get_obj_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_CORE, static_cast<unsigned>(core));
    return object != nullptr && hwloc_set_cpubind(topology_, object->cpuset, HWLOC_CPUBIND_THREAD) == 0;
  }

 private:
  hwloc_topology_t topology_ = nullptr;
  hwloc_bitmap_t allowed_ = nullptr;
};

const Machine& machine() {
  static const Machine instance;
  return instance;
}

/// Cores' worth of time that the control group grants; a large number when it does not say.
int quota() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 1 << 20;
  return std::max(1, static_cast<int>(std::stod(quota) / period));
}

}  // namespace

int usable_cores() { return std::min(machine().cores(), quota()); }

int default_pes(int processes_on_host) { return std::max(1, usable_cores() / std::max(1, processes_on_host)); }

bool is_oversubscribed(int processes_on_host, int pes_per_process) {
  return static_cast<long>(processes_on_host) * pes_per_process > usable_cores();
}

bool pin_this_thread(int process_on_host, int processes_on_host, int local_pe, int pes_per_process) {
  if (is_oversubscribed(processes_on_host, pes_per_process) || machine().is_bound()) return false;
  return machine().bind_thread(process_on_host * pes_per_process + local_pe);
}

}  // namespace kaon

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/topology.hpp"

#include <hwloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kaon/runtime/base/control_groups.hpp"

namespace kaon::runtime {
namespace {

constexpr int kNoLimit = 1 << 20;

/// This host's cores, and those among them that the process was allowed at its first question.
class Host {
 public:
  Host() : allowed_(hwloc_bitmap_alloc()) {
    if (hwloc_topology_init(&topology_) != 0) return;
    look_for_cores_only();
    if (hwloc_topology_load(topology_) != 0) return;
    const hwloc_const_cpuset_t machine = hwloc_topology_get_allowed_cpuset(topology_);
    if (hwloc_get_cpubind(topology_, allowed_, HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_copy(allowed_, machine);
    is_bound_ = !hwloc_bitmap_isincluded(machine, allowed_);
    hwloc_bitmap_and(allowed_, allowed_, machine);
    find_cores();
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    hwloc_bitmap_free(allowed_);
    if (topology_ != nullptr) hwloc_topology_destroy(topology_);
  }

  int cores() const { return std::max(1, static_cast<int>(cores_.size())); }
  bool is_bound() const { return is_bound_; }
  bool bind_thread(std::size_t core) const {
    return core < cores_.size() && hwloc_set_cpubind(topology_, cores_[core]->cpuset, HWLOC_CPUBIND_THREAD) == 0;
  }

 private:
  // The operating system knows the cores. By itself hwloc also moves this thread to each of them to ask it, and reads
  // of caches and memory: milliseconds in each of many processes that start.
  void look_for_cores_only() const {
    hwloc_topology_set_components(topology_, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    hwloc_topology_set_all_types_filter(topology_, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(topology_, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  }

  // A core of which one hardware thread is allowed counts; where no cores are known, each hardware thread does.
  void find_cores() {
    const bool knows_cores = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE) > 0;
    const hwloc_obj_type_t type = knows_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology_, type, core)) != nullptr;)
      if (hwloc_bitmap_intersects(core->cpuset, allowed_)) cores_.push_back(core);
  }

  hwloc_topology_t topology_ = nullptr;
  hwloc_bitmap_t allowed_;
  std::vector<hwloc_obj_t> cores_;
  bool is_bound_ = false;
};

const Host& host() {
  static const Host instance;
  return instance;
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream text(file);
  std::string line;
  std::getline(text, line);
  return line;
}

}  // namespace

ProcessorMask processors_of_this_thread() {
  constexpr std::size_t kBytes = 8192;  // 65,536 processors
  ProcessorMask mask(kBytes / sizeof(unsigned long));
  const long bytes = syscall(SYS_sched_getaffinity, 0, kBytes, mask.data());
  mask.resize(bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(unsigned long) : 0);
  return mask;
}

int cores_of_quota(std::string_view cpu_max) {
  std::istringstream words{std::string(cpu_max)};
  double microseconds = 0, period = 0;
  if (!(words >> microseconds >> period) || microseconds <= 0 || period <= 0) return kNoLimit;  // "max 100000"
  return static_cast<int>(std::clamp(microseconds / period, 1.0, double{kNoLimit}));
}

int cores_of_quotas(const std::filesystem::path& root) {
  int cores = kNoLimit;
  for (const ControlGroup& group : control_groups("cpu", root)) {
    std::string text = first_line(group.folder / "cpu.max");
    if (text.empty())  // of version 1, which says -1 where there is no limit
      text = first_line(group.folder / "cpu.cfs_quota_us") + " " + first_line(group.folder / "cpu.cfs_period_us");
    cores = std::min(cores, cores_of_quota(text));
  }
  return cores;
}

int allowed_processors() {
  static const int processors = [] {
    int count = 0;
    for (const unsigned long word : processors_of_this_thread()) count += std::popcount(word);
    return count > 0 ? count : kNoLimit;
  }();
  return processors;
}

ThreadAffinity::ThreadAffinity() : mask_(processors_of_this_thread()) {}

ThreadAffinity::~ThreadAffinity() {
  if (!mask_.empty()) syscall(SYS_sched_setaffinity, 0, mask_.size() * sizeof(unsigned long), mask_.data());
}

int usable_cores() {
  static const int cores = std::min(host().cores(), cores_of_quotas());
  return cores;
}

// Where there are more processes than processors, nobody need look for the cores.
int default_pes(int processes_on_cores) {
  if (allowed_processors() <= processes_on_cores) return 1;
  return std::max(1, usable_cores() / std::max(1, processes_on_cores));
}

bool is_oversubscribed(int processes_on_cores, int pes_per_process) {
  const long pes = static_cast<long>(processes_on_cores) * pes_per_process;
  return pes > allowed_processors() || pes > usable_cores();
}

Pinning pin_this_thread(int place, int processes_on_cores, int local_pe, int pes_per_process) {
  if (is_oversubscribed(processes_on_cores, pes_per_process)) return Pinning::too_few_cores;
  if (host().is_bound()) return Pinning::bound_already;
  const auto core =
      static_cast<std::size_t>(place) * static_cast<std::size_t>(pes_per_process) + static_cast<std::size_t>(local_pe);
  return host().bind_thread(core) ? Pinning::pinned : Pinning::impossible;
}

}  // namespace kaon::runtime

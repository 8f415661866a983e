// SPDX-License-Identifier: Apache-2.0
// threads: those that are pinned
#include "kaon/runtime/base/topology.hpp"

#include <sched.h>

#include <thread>

#include "tests/runtime/base/system_root.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

cpu_set_t affinity() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  REQUIRE(sched_getaffinity(0, sizeof cpus, &cpus) == 0);
  return cpus;
}

}  // namespace

TEST_CASE("a quota is rounded down to whole cores, and to one at least", "[runtime][topology]") {
  CHECK(cores_of_quota("400000 100000") == 4);
  CHECK(cores_of_quota("150000 100000") == 1);
  CHECK(cores_of_quota("50000 100000") == 1);
  for (const char* unlimited : {"max 100000", "", "0 0", "100000", "-1 100000"})
    CHECK(cores_of_quota(unlimited) > 10'000);
}

TEST_CASE("the least quota of the control groups around a process counts, of both versions", "[runtime][topology]") {
  const SystemRoot root;
  CHECK(cores_of_quotas(root.path()) > 10'000);
  root.write("proc/self/cgroup", "4:cpu,cpuacct:/jobs/7\n0::/service\n");
  CHECK(cores_of_quotas(root.path()) > 10'000);
  root.write("sys/fs/cgroup/cpu/jobs/7/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/jobs/7/cpu.cfs_period_us", "100000\n");
  CHECK(cores_of_quotas(root.path()) > 10'000);
  root.write("sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us", "800000\n");
  root.write("sys/fs/cgroup/cpu/jobs/cpu.cfs_period_us", "100000\n");
  CHECK(cores_of_quotas(root.path()) == 8);
  root.write("sys/fs/cgroup/service/cpu.max", "300000 100000\n");
  CHECK(cores_of_quotas(root.path()) == 3);
  root.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  CHECK(cores_of_quotas(root.path()) == 3);
}

TEST_CASE("processes of a host share its cores", "[runtime][topology]") {
  const int cores = usable_cores();
  CHECK(cores >= 1);
  const cpu_set_t cpus = affinity();
  CHECK(cores <= CPU_COUNT(&cpus));
  CHECK(allowed_processors() == CPU_COUNT(&cpus));
  CHECK(default_pes(1) == cores);
  CHECK(default_pes(cores) == 1);
  CHECK(default_pes(cores + 1) == 1);
  CHECK_FALSE(is_oversubscribed(1, cores));
  CHECK_FALSE(is_oversubscribed(cores, 1));
  CHECK(is_oversubscribed(1, cores + 1));
  CHECK(is_oversubscribed(cores + 1, 1));
}

TEST_CASE("a thread that was pinned may run on one core, another as before", "[runtime][topology]") {
  const cpu_set_t before = affinity();
  std::thread([&] {
    const Pinning pinning = pin_this_thread(0, 1, 0, 1);
    const cpu_set_t after = affinity();
    if (pinning == Pinning::pinned)
      CHECK(CPU_COUNT(&after) <= CPU_COUNT(&before));
    else
      CHECK(CPU_EQUAL(&after, &before));
  }).join();
  const cpu_set_t here = affinity();
  CHECK(CPU_EQUAL(&here, &before));
}

TEST_CASE("two threads are pinned to different cores", "[runtime][topology]") {
  if (usable_cores() < 2) return;
  cpu_set_t cpus[2];
  Pinning pinning[2];
  for (int pe : {0, 1})
    std::thread([&, pe] {
      pinning[pe] = pin_this_thread(0, 1, pe, 2);
      cpus[pe] = affinity();
    }).join();
  CHECK(pinning[0] == pinning[1]);
  cpu_set_t both;
  CPU_AND(&both, &cpus[0], &cpus[1]);
  if (pinning[0] == Pinning::pinned) CHECK(CPU_COUNT(&both) == 0);
}

TEST_CASE("nobody is pinned when there are more PEs than cores", "[runtime][topology]") {
  const cpu_set_t before = affinity();
  CHECK(pin_this_thread(0, 1, 0, usable_cores() + 1) == Pinning::too_few_cores);
  const cpu_set_t after = affinity();
  CHECK(CPU_EQUAL(&after, &before));
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/granted_memory.hpp"

#include <map>
#include <string>

#include "kaon/runtime/base/error.hpp"
#include "tests/runtime/base/system_root.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::granted_memory {

constexpr std::uint64_t kMib = 1 << 20;

std::optional<MemoryLimit> of_slurm(const std::map<std::string, std::string>& table,
                                    std::optional<std::uint64_t> resident_bytes = std::nullopt) {
  const auto read = [&](const char* name) {
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second.c_str();
  };
  return limit_of_slurm(read, resident_bytes);
}

TEST_CASE("the tightest control group around a process limits its memory", "[runtime][memory limits]") {
  const SystemRoot root;
  root.write("proc/self/cgroup", "0::/jobs/7/step\n");
  root.write("sys/fs/cgroup/jobs/7/step/memory.max", "max\n");
  root.write("sys/fs/cgroup/jobs/7/memory.max", "104857600\n");
  root.write("sys/fs/cgroup/jobs/memory.max", "209715200\n");
  const auto limit = MemoryGroups(root.path()).limit();
  REQUIRE(limit);
  CHECK(limit->bytes == 100 * kMib);
  CHECK(limit->whose == "control group /jobs/7");
}

TEST_CASE("control groups of version 1 are read, too", "[runtime][memory limits]") {
  const SystemRoot root;
  root.write("proc/self/cgroup", "9:cpu,cpuacct:/other\n4:memory:/docker/abc\n0::/\n");
  root.write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "52428800\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.write("sys/fs/cgroup/memory/docker/abc/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
  const auto limit = MemoryGroups(root.path()).limit();
  REQUIRE(limit);
  CHECK(limit->bytes == 50 * kMib);
  CHECK(limit->whose == "control group /docker/abc");
  CHECK(MemoryGroups(root.path()).kills() == 3);
}

TEST_CASE("a container that does not see the name of its group finds the limit", "[runtime][memory limits]") {
  const SystemRoot root;
  root.write("proc/self/cgroup", "0::/system/docker-abc\n");
  root.write("sys/fs/cgroup/memory.max", "104857600\n");
  root.write("sys/fs/cgroup/memory.events", "low 0\noom 1\noom_kill 2\n");
  const auto limit = MemoryGroups(root.path()).limit();
  REQUIRE(limit);
  CHECK(limit->bytes == 100 * kMib);
  CHECK(MemoryGroups(root.path()).kills() == 2);
}

TEST_CASE("where nothing limits memory there is no limit", "[runtime][memory limits]") {
  const SystemRoot root;
  CHECK_FALSE(MemoryGroups(root.path()).limit());
  root.write("proc/self/cgroup", "4:memory:/\n0::/\nno line of control groups\n");
  root.write("sys/fs/cgroup/memory.max", "max\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK_FALSE(MemoryGroups(root.path()).limit());
  CHECK(MemoryGroups(root.path()).kills() == 0);
}

TEST_CASE("what Slurm has granted is a limit", "[runtime][memory limits]") {
  CHECK_FALSE(of_slurm({}));
  CHECK_FALSE(of_slurm({{"SLURM_MEM_PER_NODE", "0"}}));  // all of the host
  CHECK_FALSE(of_slurm({{"SLURM_MEM_PER_CPU", "100"}}));
  CHECK(of_slurm({{"SLURM_MEM_PER_NODE", "300"}})->bytes == 300 * kMib);
  CHECK(of_slurm({{"SLURM_MEM_PER_CPU", "100"}, {"SLURM_CPUS_ON_NODE", "8"}})->bytes == 800 * kMib);
  CHECK(of_slurm({{"SLURM_JOB_ID", "5"}}, 100 * kMib)->bytes == 100 * kMib);
  CHECK(of_slurm({{"SLURM_JOB_ID", "5"}}, 100 * kMib)->whose == "Slurm's job 5, ulimit -m");
  CHECK(of_slurm({{"SLURM_JOB_ID", "5"}, {"SLURM_MEM_PER_NODE", "300"}}, 100 * kMib)->bytes == 300 * kMib);
  CHECK_FALSE(of_slurm({{"SLURM_JOB_ID", "5"}}));
  CHECK_FALSE(of_slurm({}, 100 * kMib));  // a limit of the user's, which means nothing on Linux
}

TEST_CASE("PEs that need more than the limit are refused, and those that need no more are not",
          "[runtime][memory limits]") {
  const MemoryLimit enough{memory_of_pes(4, 8), "control group /jobs/7"};
  CHECK(memory_of_pes(2, 16) == 68 * kMib);
  CHECK_NOTHROW(require_memory(enough, 4, 8));
  CHECK_NOTHROW(require_memory(std::nullopt, 4, 8));
  CHECK_THROWS_AS(require_memory(enough, 4, 9), OutOfMemory);
  CHECK_THROWS_WITH(require_memory(enough, 4, 9), contains_text("the 36 PEs on this host need") &&
                                                      contains_text("control group /jobs/7") && contains_text("--mem"));
}

TEST_CASE("PEs may hold half the memory of their host for slow receivers, each its share", "[runtime][memory]") {
  constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
  CHECK(default_queue_limit_mib(16 * kGib, 4) == 2048);
  CHECK(default_queue_limit_mib(16 * kGib, 1) == 4096);
  CHECK(default_queue_limit_mib(kGib, 1000) == 64);
  CHECK(memory_of_host() > 0);
}

}  // namespace kaon::testing::granted_memory

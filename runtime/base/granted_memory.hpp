// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "kaon/runtime/base/memory_groups.hpp"

namespace kaon::runtime {

// What Slurm has granted to the job on this host, which it may watch without a control group. Allocations of salloc and
// sbatch have variables for it; in a job of srun alone it is the limit of resident memory of each process, which Linux
// does not enforce. `read`: std::getenv, or a test's table; `resident_bytes`: limit_of_resident_memory(), or a test's.
std::optional<MemoryLimit> limit_of_slurm(const std::function<const char*(const char*)>& read,
                                          std::optional<std::uint64_t> resident_bytes);
// `ulimit -m` (RLIMIT_RSS) in bytes, where there is one.
std::optional<std::uint64_t> limit_of_resident_memory();

// What a run takes before there is a chare in it.
std::uint64_t memory_of_pes(int processes, int pes_per_process);
// Throws OutOfMemory when the processes of this host need more than `limit`.
void require_memory(const std::optional<MemoryLimit>& limit, int processes, int pes_per_process);
// Throws OutOfMemory when the stacks of this process may not be as large as Kaon and its libraries need: `ulimit -s`.
void require_stack();
// Throws OutOfMemory when this process may not map what its PEs reserve: `ulimit -v` (RLIMIT_AS).
void require_address_space(int pes);

// Bytes that the processes of this host may take: the least of those limits and of what the machine has.
std::uint64_t memory_of_host();
// Of messages that each PE may hold for slow receivers unless the user says: together half of `memory`, but for each at
// most 4 GiB, which no run needs that goes on, and at least 64 MiB.
std::size_t default_queue_limit_mib(std::uint64_t memory, int pes_on_host);

// All that are known here, and the address space.
void require_granted_memory(int processes_on_host, int pes_per_process);

}  // namespace kaon::runtime

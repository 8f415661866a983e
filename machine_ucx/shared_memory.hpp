// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::machine_ucx {

// What UCX takes of shared memory for each PE as it starts, with our settings of context.cpp: queues of 64 messages,
// and 128 buffers of 8 KiB. It takes as many buffers again when they are all full.
inline constexpr std::uint64_t kSharedBytesOfPe = 1'200'000;

// Throws OutOfMemory, which says so, when /dev/shm cannot hold the files of so many PEs: it has as many as inodes.
void require_files_in_shared_memory(std::uint64_t pes);

// UCX crashes where it finds less. Throws OutOfMemory, which says what to do, when `pes` of each process of this host
// need more than there was before the first began. Leaves it to a user who has chosen transports or sizes himself.
void require_shared_memory(const SharedFolder& folder, const Seat& seat, int pes_per_process);

}  // namespace kaon::machine_ucx

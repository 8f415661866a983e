// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace kaon::bench {

// Commands of 64 bytes by hand, each quarter of which ends with the number of the round: as one look fetches them.

// A block that runs what lies in `slot`, in pinned memory, round after round, and then stores the round into `reply`.
void launch_serve(const void* slot, std::uint32_t* reply, std::uint32_t* sink, std::uint32_t rounds,
                  cudaStream_t stream);
// Two blocks that send such commands to each other, in a device's memory.
void launch_pass(void* slots, std::uint32_t* sink, std::uint32_t rounds, cudaStream_t stream);
// One of two blocks, each of a device of its own, that send such commands to each other: `own` lies here, `others` at
// the other.
void launch_pass_to_peer(bool is_first, void* own, void* others, std::uint32_t* sink, std::uint32_t rounds,
                         cudaStream_t stream);
// As many warps, of an even number of blocks, two and two; each has two slots, and four words to write to.
void launch_pass_by_warps(unsigned blocks, unsigned warps, void* slots, std::uint32_t* sink, std::uint32_t rounds,
                          cudaStream_t stream);

}  // namespace kaon::bench

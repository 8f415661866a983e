// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kaon::bench {

// to[i] = from[i] + 1 for `count` words; either may lie on a peer device.
void launch_add_one(std::uint64_t* to, const std::uint64_t* from, std::size_t count, cudaStream_t stream);

// The same by one block, the last thing of which is to store `value` in a word of pinned memory.
void launch_and_show(std::uint64_t* to, const std::uint64_t* from, std::size_t count, std::uint32_t* word,
                     std::uint32_t value, cudaStream_t stream);

}  // namespace kaon::bench

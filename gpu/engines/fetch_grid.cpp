// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kaon/gpu/engines/fetch.kernels.hpp"

namespace kaon::gpu {

Grid fetch_grid(std::size_t bytes) {
  constexpr std::size_t kBytesOfBlock = std::size_t{16} << 10, kMostBlocks = 64;
  const std::size_t blocks = std::clamp<std::size_t>((bytes + kBytesOfBlock - 1) / kBytesOfBlock, 1, kMostBlocks);
  return {static_cast<unsigned>(blocks), FetchKernel::kMostThreads};
}

}  // namespace kaon::gpu

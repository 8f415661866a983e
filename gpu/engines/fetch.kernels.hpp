// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/grid.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// Copies from the memory of another device, which is slow to answer: each thread asks for some pieces before it needs
/// the first.
struct FetchKernel {
  static constexpr unsigned kMostThreads = 256;

  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::uint64_t bytes = 0;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const;
};

/// For a FetchKernel of so many bytes.
Grid fetch_grid(std::size_t bytes);

}  // namespace kaon::gpu

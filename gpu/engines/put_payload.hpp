// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/copy_by_block.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::gpu {

/// One block that writes a small payload into the memory of another device, behind what has made it in its stream, and
/// then raises its flag to one.
struct PutPayload {
  static constexpr bool kStartsEarly = true;
  static constexpr unsigned kThreads = 128;
  std::byte* to;
  const std::byte* from;
  std::uint32_t bytes;
  FlagWord come;

  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    at.wait_for_earlier();
    copy_by_block(at, to, from, bytes);
    at.sync();
    if (at.is_first()) at.raise_to(come, 1);
  }
};

}  // namespace kaon::gpu

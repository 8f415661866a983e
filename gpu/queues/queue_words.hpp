// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// Words that the kernels of a queue share, in their device's memory, 0 at first. Those that different threads poll lie
/// in lines of their own.
///
/// * reserved: the position behind the last slot that was reserved. All that post add to it (relaxed).
/// * published: the position behind the last request that is complete. Stored by the thread whose turn it is (release).
/// * rung, rings: the last value of the doorbell, and how often it was rung. As published, which orders them.
/// * completed: the position behind the last request that is done. Stored by the thread that polls (release).
/// * polled: completion entries that were taken. Stored by the thread that polls (relaxed).
/// * polling: 1 while a thread takes entries. Changed by all that poll (acquire, release).
/// * status, failed_index: the first error, and its request. Stored by the thread that polls, or that has given up
///   (release).
struct QueueWords {
  static constexpr std::size_t kLine = 32, kLines = 6;  // words
  std::uint32_t* words = nullptr;

  KAON_DEVICE std::uint32_t* reserved() const { return words; }
  KAON_DEVICE std::uint32_t* published() const { return words + kLine; }
  KAON_DEVICE std::uint32_t* rung() const { return words + kLine + 1; }
  KAON_DEVICE std::uint32_t* rings() const { return words + kLine + 2; }
  KAON_DEVICE std::uint32_t* completed() const { return words + 2 * kLine; }
  KAON_DEVICE std::uint32_t* polled() const { return words + 3 * kLine; }
  KAON_DEVICE std::uint32_t* polling() const { return words + 4 * kLine; }
  KAON_DEVICE std::uint32_t* status() const { return words + 5 * kLine; }
  KAON_DEVICE std::uint32_t* failed_index() const { return words + 5 * kLine + 1; }
};

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/device/segment_range.hpp"
#include "kaon/gpu/span.hpp"

namespace kaon::gpu {

SegmentRange share_segment(const void* memory, std::size_t bytes);
void* open_segment(const SegmentRange& range, std::size_t element_bytes);

/// Lets kernels of other PEs of this host read and write the memory of a buffer of this PE's device, where it lies:
/// send the range to them, and they open it.
///
/// Nothing comes with it but the place. The owner keeps the buffer while anybody uses what he opened, and messages, or
/// flags that kernels raise, say who may read or write it when: memory of a buffer that ended, or that was given to a
/// Payload, becomes that of another one, which whoever opened it then sees. Throws UsageError for a buffer without
/// memory.
template <class T>
SegmentRange share_segment(const Buffer<T>& buffer) {
  return share_segment(buffer.data(), buffer.size() * sizeof(T));
}

/// Memory that a PE of this host shares, for kernels and copies of this PE's device. What is opened stays mapped to the
/// end of the run; to open more of the same memory costs little, the first time may take milliseconds. Throws GpuError
/// when this PE's device does not reach it (on another host it never does), and UsageError when it is not made of whole
/// elements.
template <class T>
Span<T> open_segment(const SegmentRange& range) {
  return Span<T>(static_cast<T*>(open_segment(range, sizeof(T))), range.bytes() / sizeof(T));
}

}  // namespace kaon::gpu

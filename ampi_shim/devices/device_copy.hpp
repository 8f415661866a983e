// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/devices/device_packing.hpp"
#include "kaon/gpu/buffer.hpp"

namespace kaon::ampi {

/// A copy between two buffers of which one at least is on a device: as a message would do it, the types may differ. All
/// of it is given to a stream at once; both buffers stay until the stream has got there and finish() was called.
class DeviceCopy {
 public:
  /// The first `bytes` of `from`, as many as both have.
  DeviceCopy(ProgramDevice& program, gpu::Stream& stream, const ProgramData& to, const ProgramData& from,
             std::size_t bytes);
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;

  /// The position that the stream has to reach before finish().
  const gpu::Position& end() const { return end_; }
  /// Does the processor's part of the copy, after the stream has reached end().
  void finish();

 private:
  const std::byte* packed_source(const ProgramData& from);
  void unpack_source(const std::byte* source, bool is_on_device);
  std::byte* pinned();
  std::byte* buffer();

  ProgramDevice& program_;
  gpu::Stream& stream_;
  ProgramData to_;
  std::size_t bytes_;
  gpu::Buffer<std::byte> buffer_;  // packed data, on the device
  gpu::Pinned<std::byte> pinned_;  // and on the host
  bool must_unpack_ = false;       // what came into pinned memory
  gpu::Position end_;
};

/// On a strand of the rank: until it has been done.
void copy_now(Rank& rank, const ProgramData& to, const ProgramData& from, std::size_t bytes);

/// On a strand of the rank, as a message to oneself: as much of `from` as `to` has room for. False: neither is on a
/// device, and nothing was done.
bool copied_by_device(Rank& rank, ProgramData to, ProgramData from);

/// Beside the program. True: it has been done already. Else `then(argument)` is called when it has, at a turn of the
/// scheduler's.
bool start_copy(Rank& rank, const ProgramData& to, const ProgramData& from, std::size_t bytes, void (*then)(void*),
                void* argument);

/// `then(argument)` when a stream has reached a position; at once if it is known to have.
void call_when_reached(gpu::Device& device, const gpu::Position& position, void (*then)(void*), void* argument);

}  // namespace kaon::ampi

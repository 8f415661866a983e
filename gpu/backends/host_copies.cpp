// SPDX-License-Identifier: Apache-2.0
// Copies that kernels of the emulation start. Each has a stream of its own, so that they end in any order, as those of
// a device do.
#include <cstring>

#include "kaon/gpu/backends/host_driver.hpp"
#include "kaon/gpu/backends/host_queue.hpp"

namespace kaon::gpu {
namespace {

struct HostCopy {
  StartedCopy copy;
  HostStream& stream;
};

}  // namespace

std::string HostDriver::why_no_started_copies(int device) const {
  check_device(device);
  return {};
}

NativeCopy HostDriver::prepare_copy(int device, const StartedCopy& copy, NativeStream) {
  check_device(device);
  constexpr std::size_t kChunk = 32;  // of CUDA
  while (!prepared_.take(device, 1)) {
    static_cast<void>(is_finished(device));
    prepared_.grow(device, prepared_.taken(device) + kChunk);
  }
  HostStream& stream = engine_.make_stream();
  stream.device = device;
  return new HostCopy{copy, stream};
}

// What it was given still happens.
void HostDriver::destroy_copy(NativeCopy copy) noexcept {
  const auto* const own = static_cast<HostCopy*>(copy);
  static_cast<void>(is_finished(own->stream.device));
  prepared_.give_back(own->stream.device, 1);
  engine_.close(own->stream);
  delete own;
}

void HostDriver::make_copy_room(int device, std::size_t count, const StartedCopy&, NativeStream) {
  check_device(device);
  static_cast<void>(is_finished(device));
  prepared_.grow(device, count);
  copy_rooms().grow(device, count);
}

void start_copy_on_host(NativeCopy started) {
  const auto& [copy, stream] = *static_cast<const HostCopy*>(started);
  HostEngine& engine = stream.engine;
  const auto move = [to = copy.to, from = copy.from, bytes = copy.bytes] {
    if (bytes > 0) std::memcpy(to, from, bytes);
  };
  engine.enqueue(stream, move, true);
  if (copy.flag != nullptr) engine.copy_word(stream, copy.flag, copy.value);
  if (copy.sent != nullptr) engine.copy_word(stream, copy.sent, copy.value);
  engine.copy_word(stream, copy.ended, copy.use);
}

}  // namespace kaon::gpu

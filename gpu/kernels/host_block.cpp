// SPDX-License-Identifier: Apache-2.0
// ThreadSanitizer does not look at this file (CMake says so): a barrier's own counts are changed by one fibre after the
// other.
#include "kaon/gpu/kernels/host_block.hpp"

#include <fmt/format.h>

#include <cstring>

#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

/// One thread's wait.
struct HostBarrier::Arrival {
  const HostBarrier& barrier;
  std::uint64_t meeting;
  static bool is_over(void* self) {
    const auto& arrival = *static_cast<const Arrival*>(self);
    return arrival.barrier.meetings_ != arrival.meeting;
  }
};

void HostBarrier::meet(const char* place, void (*last)(void*), void* argument) {
  if (arrived_ > 0 && std::strcmp(place, place_) != 0)
    throw GpuError(fmt::format("threads of a block are in {} while others are in {}: all of them must come to each",
                               place, place_));
  place_ = place;
  Arrival arrival{*this, meetings_};
  HostFibres::release(this);
  if (++arrived_ == awaited_) {
    HostFibres::acquire(this);
    if (last != nullptr) {
      require_all(place);
      last(argument);
      HostFibres::release(this);
    }
    open();
    return;
  }
  fibres_.wait_until(&Arrival::is_over, &arrival);
  HostFibres::acquire(this);
}

void HostBarrier::require_all(const char* place) const {
  if (awaited_ < threads_)
    throw GpuError(fmt::format("{} needs all threads of a block, and {} of {} have ended before", place,
                               threads_ - awaited_, threads_));
}

void HostBlock::require_whole_grid(const char* place) const {
  if (whole_grid_ == nullptr)
    throw GpuError(fmt::format("{}: the kernel must say static constexpr bool kIsCooperative", place));
}

void HostBarrier::leave() {
  HostFibres::release(this);
  if (--awaited_ == arrived_ && arrived_ > 0) open();
}

void HostBarrier::open() {
  arrived_ = 0;
  ++meetings_;
}

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kaon/gpu/backends/host_fibres.hpp"
#include "kaon/gpu/kernels/grid.hpp"

namespace kaon::gpu {

/// Where emulated threads wait for each other. Those that have ended are not waited for, as on a device.
class HostBarrier {
 public:
  HostBarrier(HostFibres& fibres, std::size_t threads) : fibres_(fibres), threads_(threads), awaited_(threads) {}

  /// Returns when all have come. The last of them calls `last(argument)` first. `place` names the function that the
  /// kernel called; throws GpuError when others wait in another.
  void meet(const char* place, void (*last)(void*) = nullptr, void* argument = nullptr);
  /// A thread has ended.
  void leave();
  /// Throws GpuError when one of the threads that `place` needs has ended.
  void require_all(const char* place) const;

 private:
  struct Arrival;
  void open();

  HostFibres& fibres_;
  std::size_t threads_;
  std::size_t awaited_;  // threads that have not ended
  std::size_t arrived_ = 0;
  std::uint64_t meetings_ = 0;
  const char* place_ = nullptr;  // where those that have arrived wait
};

/// One block of the emulation whose threads run together: its barrier, and what they hand to each other.
class HostBlock {
 public:
  HostBlock(HostFibres& fibres, const Grid& grid, const Extent& place, HostBarrier* whole_grid, void* dynamic_shared)
      : fibres_(fibres),
        grid_(grid),
        place_(place),
        whole_grid_(whole_grid),
        dynamic_shared_(dynamic_shared),
        barrier_(fibres, grid.threads.volume()),
        values_(grid.threads.volume()) {}

  HostFibres& fibres() { return fibres_; }
  const Grid& grid() const { return grid_; }
  const Extent& place() const { return place_; }
  void* dynamic_shared() const { return dynamic_shared_; }
  HostBarrier& barrier() { return barrier_; }
  HostBarrier* whole_grid() const { return whole_grid_; }
  /// Throws GpuError for a kernel whose blocks do not run at once, which `place` needs.
  void require_whole_grid(const char* place) const;
  void leave() {
    barrier_.leave();
    if (whole_grid_ != nullptr) whole_grid_->leave();
  }

  /// Called by all threads, each with its value; `combine(values, count)` changes all of them, in the order of the
  /// threads. Returns what has become of the own one.
  template <class T, class Combine>
  T combine(const char* place, std::size_t thread, T value, Combine) {
    static_assert(sizeof(T) <= sizeof(Value));
    std::memcpy(&values_[thread], &value, sizeof value);
    barrier_.meet(
        place,
        [](void* block) {
          std::vector<Value>& values = static_cast<HostBlock*>(block)->values_;
          std::vector<T> typed(values.size());
          for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(&typed[i], &values[i], sizeof(T));
          Combine{}(typed);
          for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(&values[i], &typed[i], sizeof(T));
        },
        this);
    std::memcpy(&value, &values_[thread], sizeof value);
    return value;
  }

 private:
  using Value = std::uint64_t;  // the bits of one
  HostFibres& fibres_;
  Grid grid_;
  Extent place_;
  HostBarrier* whole_grid_;
  void* dynamic_shared_;
  HostBarrier barrier_;
  std::vector<Value> values_;  // by thread
};

}  // namespace kaon::gpu

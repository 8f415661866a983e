// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

#include "kaon/gpu/kernels/block_values.hpp"
#include "kaon/gpu/kernels/fetching_cells.hpp"
#include "kaon/gpu/kernels/host_block.hpp"
#include "kaon/gpu/kernels/host_flags.hpp"
#include "kaon/gpu/kernels/host_words.hpp"

namespace kaon::gpu {

/// Operations on one cell by threads of all blocks, and by kernels of other streams. Those that return nothing are
/// relaxed: a reader of the cell waits for the kernel.
class HostCells : public FetchingCells<HostWords> {
 public:
  template <class T>
  void add_into(T* cell, std::type_identity_t<T> value) {
    std::atomic_ref<T>(*cell).fetch_add(value, std::memory_order_relaxed);
  }
  void max_into(double* cell, double value) {
    const std::atomic_ref<double> shared(*cell);
    double seen = shared.load(std::memory_order_relaxed);
    while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }
};

/// The context of a kernel in the emulation: a grid whose blocks have one thread each and run one after another.
class HostContext : public HostCells, public HostFlags {
 public:
  HostContext(const Extent& blocks, const Extent& block, void* dynamic_shared)
      : blocks_(blocks), block_(block), dynamic_shared_(dynamic_shared) {}

  std::size_t index() const { return blocks_.number(block_); }
  std::size_t stride() const { return blocks_.volume(); }
  Extent block() const { return block_; }
  Extent blocks() const { return blocks_; }
  Extent thread() const { return {0, 0, 0}; }
  Extent threads() const { return {1, 1, 1}; }
  bool is_first() const { return true; }
  DynamicShared dynamic_shared() const { return DynamicShared(dynamic_shared_); }

  void sync() {}
  template <BlockValue T>
  T sum(T value) {
    return value;
  }
  template <BlockValue T>
  T min(T value) {
    return value;
  }
  template <BlockValue T>
  T max(T value) {
    return value;
  }
  template <BlockValue T>
  T inclusive_scan(T value) {
    return value;
  }
  template <BlockValue T>
  T exclusive_scan(T) {
    return T{};
  }
  template <class Nothing = void>
  void sync_grid() {
    static_assert(!std::is_void_v<Nothing>, "sync_grid(): the kernel must say static constexpr bool kIsCooperative");
  }
  template <class Nothing = void>
  bool wait_for(FlagWord, std::uint32_t, WaitLimit = {}) {
    static_assert(!std::is_void_v<Nothing>, "wait_for(): the kernel must say static constexpr bool kIsCooperative");
    return false;
  }
  void wait_for_earlier() {}
  void let_next_start() {}
  std::uint64_t nanoseconds() const { return HostWords::nanoseconds(); }

 private:
  Extent blocks_;
  Extent block_;
  void* dynamic_shared_;
};

class HostWarp;
/// The same for a kernel whose threads need each other: one thread of a block in which all are there.
class HostThread : public HostCells, public HostFlags {
 public:
  using Words = HostWords;
  using Warp = HostWarp;
  static constexpr bool kIsWarp = false;
  bool is_in_first_warp() const { return is_first(); }
  HostThread(HostBlock& block, std::size_t number) : block_(block), number_(number) {}

  std::size_t index() const { return blocks().number(block()) * threads().volume() + number_; }
  std::size_t stride() const { return blocks().volume() * threads().volume(); }
  Extent block() const { return block_.place(); }
  Extent blocks() const { return block_.grid().blocks; }
  Extent thread() const {
    const Extent threads = block_.grid().threads;
    const auto number = static_cast<unsigned>(number_);
    return {number % threads.x, number / threads.x % threads.y, number / threads.x / threads.y};
  }
  Extent threads() const { return block_.grid().threads; }
  bool is_first() const { return number_ == 0; }
  DynamicShared dynamic_shared() const { return DynamicShared(block_.dynamic_shared()); }

  void sync() { block_.barrier().meet("sync()"); }
  template <BlockValue T>
  T sum(T value) {
    return block_.combine("sum()", number_, value, [](std::vector<T>& values) {
      values.assign(values.size(), std::accumulate(values.begin(), values.end(), T{}));
    });
  }
  template <BlockValue T>
  T min(T value) {
    return block_.combine("min()", number_, value, [](std::vector<T>& values) {
      values.assign(values.size(), *std::min_element(values.begin(), values.end()));
    });
  }
  template <BlockValue T>
  T max(T value) {
    return block_.combine("max()", number_, value, [](std::vector<T>& values) {
      values.assign(values.size(), *std::max_element(values.begin(), values.end()));
    });
  }
  template <BlockValue T>
  T inclusive_scan(T value) {
    return block_.combine("inclusive_scan()", number_, value, [](std::vector<T>& values) {
      std::inclusive_scan(values.begin(), values.end(), values.begin());
    });
  }
  template <BlockValue T>
  T exclusive_scan(T value) {
    return block_.combine("exclusive_scan()", number_, value, [](std::vector<T>& values) {
      std::exclusive_scan(values.begin(), values.end(), values.begin(), T{});
    });
  }
  template <class Nothing = void>
  void sync_grid() {
    block_.require_whole_grid("sync_grid()");
    block_.whole_grid()->meet("sync_grid()");
  }
  template <class Nothing = void>
  bool wait_for(FlagWord flag, std::uint32_t k, WaitLimit limit = {}) {
    block_.require_whole_grid("wait_for()");
    return HostFlagWait(flag, k, limit).wait(block_.fibres());
  }
  template <class Found, class Look>
  Found find(Look look) {
    block_.require_whole_grid("find()");
    return HostSearch<Found, Look>(look).run(block_.fibres());
  }
  void give_way() { block_.fibres().let_others_go_on(); }
  /// A thread that looks again and again lets others go on, as those of a device do.
  std::uint32_t value_of(FlagWord flag) const {
    if (block_.whole_grid() != nullptr) block_.fibres().let_others_go_on();
    return HostFlags::value_of(flag);
  }
  bool has_reached(FlagWord flag, std::uint32_t k) const { return FlagWord::is_reached(value_of(flag), k); }
  /// The same of a thread that waits by the clock.
  std::uint64_t nanoseconds() const {
    if (block_.whole_grid() != nullptr) block_.fibres().let_others_go_on();
    return HostWords::nanoseconds();
  }
  void wait_for_earlier() {}
  void let_next_start() {}

 private:
  HostBlock& block_;
  std::size_t number_;
};

}  // namespace kaon::gpu

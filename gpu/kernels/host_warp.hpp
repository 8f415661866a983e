// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/host_context.hpp"

namespace kaon::gpu {

/// One warp of a block whose warps work by themselves, as if it were the block. In the emulation it is one thread.
class HostWarp : public HostThread {
 public:
  static constexpr bool kIsWarp = true;
  explicit HostWarp(const HostThread& thread) : HostThread(thread) {}

  Extent thread() const { return {0, 0, 0}; }
  Extent threads() const { return {1}; }
  bool is_first() const { return true; }
  bool is_in_first_warp() const { return true; }

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
};

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/vendor_context.hpp"

#if defined(KAON_DEVICE_COMPILER)
namespace kaon::gpu {

/// One warp of a block whose warps work by themselves, as if it were the block. Its blocks have threads along x alone.
class VendorWarp : public CooperativeContext {
 public:
  static constexpr bool kIsWarp = true;
  KAON_DEVICE explicit VendorWarp(const CooperativeContext& block) : CooperativeContext(block) {}

  KAON_DEVICE Extent thread() const { return {Words::lane(), 0, 0}; }
  KAON_DEVICE Extent threads() const { return {Words::kWarpLanes}; }
  KAON_DEVICE bool is_first() const { return Words::lane() == 0; }
  KAON_DEVICE bool is_in_first_warp() const { return true; }

  KAON_DEVICE void sync() { Words::sync_warp(); }
  template <BlockValue T>
  KAON_DEVICE T sum(T value) {
    return reduce(value, [](T a, T b) { return a + b; });
  }
  template <BlockValue T>
  KAON_DEVICE T min(T value) {
    return reduce(value, [](T a, T b) { return b < a ? b : a; });
  }
  template <BlockValue T>
  KAON_DEVICE T max(T value) {
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }
  template <BlockValue T>
  KAON_DEVICE T inclusive_scan(T value) {
    for (unsigned step = 1; step < Words::kWarpLanes; step *= 2) {
      const T other = vendor::value_of_lane_below(value, step, Words::kWarpLanes);
      if (Words::lane() >= step) value = other + value;
    }
    return value;
  }
  template <BlockValue T>
  KAON_DEVICE T exclusive_scan(T value) {
    const T before = vendor::value_of_lane_below(inclusive_scan(value), 1, Words::kWarpLanes);
    return is_first() ? T{} : before;
  }

 private:
  /// The first lane has it at the end, and the others take it from there.
  template <class T, class Operation>
  KAON_DEVICE static T reduce(T value, Operation combine) {
    for (unsigned step = Words::kWarpLanes / 2; step > 0; step /= 2)
      value = combine(value, vendor::value_of_lane_above(value, step, Words::kWarpLanes));
    return vendor::value_of_lane_below(value, Words::lane(), Words::kWarpLanes);
  }
};

}  // namespace kaon::gpu
#endif

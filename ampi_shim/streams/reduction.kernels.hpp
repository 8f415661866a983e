// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::ampi {

/// The operations of MPI that kernels reduce by.
enum class DeviceOperation : std::uint8_t {
  sum,
  product,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  logical_xor
};

/// Reduces the values that some ranks have for the same elements, in the order of ranks, so that the result does not
/// depend on the order in which they came. `result` may be `own`.
template <class T>
struct ReduceChunk {
  T* result;
  const T* own;     // of rank `rank`
  const T* pieces;  // of each rank `count` values, those of the own one unused
  std::size_t count;
  int rank;
  int ranks;
  DeviceOperation operation;

  KAON_DEVICE T value_of(int from, std::size_t i) const {
    return from == rank ? own[i] : pieces[static_cast<std::size_t>(from) * count + i];
  }
  KAON_DEVICE static T combine_integers(DeviceOperation operation, T one, T other) {
    if constexpr (std::is_integral_v<T>) {
      switch (operation) {
        case DeviceOperation::bit_and:
          return static_cast<T>(one & other);
        case DeviceOperation::bit_or:
          return static_cast<T>(one | other);
        case DeviceOperation::bit_xor:
          return static_cast<T>(one ^ other);
        case DeviceOperation::logical_and:
          return static_cast<T>(one != 0 && other != 0);
        case DeviceOperation::logical_or:
          return static_cast<T>(one != 0 || other != 0);
        default:
          return static_cast<T>((one != 0) != (other != 0));
      }
    }
    return one;
  }
  KAON_DEVICE static T combine(DeviceOperation operation, T one, T other) {
    switch (operation) {
      case DeviceOperation::sum:
        return static_cast<T>(one + other);
      case DeviceOperation::product:
        return static_cast<T>(one * other);
      case DeviceOperation::minimum:
        return other < one ? other : one;
      case DeviceOperation::maximum:
        return one < other ? other : one;
      default:
        return combine_integers(operation, one, other);
    }
  }
  KAON_DEVICE void operator()(std::size_t i) const {
    T value = value_of(0, i);
    for (int from = 1; from < ranks; ++from) value = combine(operation, value, value_of(from, i));
    result[i] = value;
  }
};

}  // namespace kaon::ampi

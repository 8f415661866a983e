// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <kaon/kernel.hpp>

namespace launches {

struct CountUp {
  static constexpr bool kIsGathered = true;
  unsigned* counts;
  KAON_DEVICE void operator()(std::size_t i) const { ++counts[i]; }
};

}  // namespace launches

KAON_KERNEL(launches::CountUp);

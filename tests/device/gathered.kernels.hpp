// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/kernels/kernel.hpp"

namespace kaon::testing {

/// Notes the order in which kernels run, which on the emulation run one after another.
struct NoteTurn {
  static constexpr bool kIsGathered = true;
  int* notes;  // the first says how many follow
  int number;
  template <class Context>
  KAON_DEVICE void operator()(Context& at) const {
    if (at.index() == 0) notes[++notes[0]] = number;
  }
};

/// values[i] = from[i] + by; without `from`, by.
struct AddInto {
  static constexpr bool kIsGathered = true;
  const int* from;
  int* values;
  int by;
  KAON_DEVICE void operator()(std::size_t i) const { values[i] = (from != nullptr ? from[i] : 0) + by; }
};

/// Every block writes its place and the extent of its grid, and how many threads came to its sum.
struct GatheredCensus {
  static constexpr bool kIsGathered = true, kNeedsThreads = true;
  struct Shared {
    int threads;
  };
  int* places;  // 3 for each block
  template <class Context>
  KAON_DEVICE void operator()(Context& at, Shared& shared) const {
    const int threads = at.sum(1);
    if (at.is_first()) shared.threads = threads;
    at.sync();
    int* const own = places + 3 * at.blocks().number(at.block());
    const bool is_last = at.index() + 1 == at.stride();
    if (at.is_first()) own[0] = static_cast<int>(at.blocks().volume()), own[1] = shared.threads;
    if (is_last) own[2] = 1;
  }
};

}  // namespace kaon::testing

KAON_KERNEL(kaon::testing::NoteTurn);
KAON_KERNEL(kaon::testing::AddInto);
KAON_KERNEL(kaon::testing::GatheredCensus);

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <kaon/kernel.hpp>

#include "bench/programs/carrying.hpp"

namespace hop {

/// to[i] = from[i] + 1: consumes what came and makes what leaves.
struct AddOne {
  std::uint64_t* to;
  const std::uint64_t* from;
  KAON_DEVICE void operator()(std::size_t i) const { to[i] = from[i] + 1; }
};

}  // namespace hop

KAON_DEVICE_ENTRIES(kaon::bench::CarryingEntries);
KAON_KERNEL(hop::AddOne);

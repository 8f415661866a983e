// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// Number of a processing element, 0 to one below the number of PEs of the run. Fits in 24 bits.
using PeId = std::uint32_t;
inline constexpr PeId kMaxPes = PeId{1} << 24;
inline constexpr PeId kNoPe = ~PeId{0};

}  // namespace kaon::runtime

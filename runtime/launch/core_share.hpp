// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kaon/runtime/base/topology.hpp"

namespace kaon::launch {

// Among how many processes the cores of one are shared, and the how-manieth it is.
struct CoreShare {
  int place = 0;
  int processes = 1;

  friend bool operator==(const CoreShare&, const CoreShare&) = default;
};

// `masks` of all processes of a host, of which one asks that has the number `own`. Those whose processors overlap with
// its own share them; a process of which nothing is known may be anywhere.
CoreShare core_share(std::span<const ProcessorMask> masks, std::size_t own);

}  // namespace kaon::launch

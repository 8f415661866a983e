// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/core_share.hpp"

#include <algorithm>

namespace kaon::launch {
namespace {

bool overlap(const ProcessorMask& one, const ProcessorMask& other) {
  if (one.empty() || other.empty()) return true;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    if ((one[i] & other[i]) != 0) return true;
  return false;
}

}  // namespace

CoreShare core_share(std::span<const ProcessorMask> masks, std::size_t own) {
  CoreShare share{0, 0};
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (i != own && !overlap(masks[own], masks[i])) continue;
    if (i < own) ++share.place;
    ++share.processes;
  }
  return share;
}

}  // namespace kaon::launch

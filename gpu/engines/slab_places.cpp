// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/slab_places.hpp"

#include <algorithm>

#include "kaon/gpu/device/region.hpp"

namespace kaon::gpu {

const SlabPlace& SlabPlaces::of(const Region& region) {
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.base == region.base; });
  if (found != known_.end()) return found->place;
  return known_.emplace_back(Known{region.base, segments_.place_of(device_, region)}).place;
}

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kaon::gpu {

struct StreamState;

/// The latest places of other streams that a stream waits for, so that it need not be told to again: a few, as kernels
/// that are given one after the other tend to wait for the same streams.
class KnownWaits {
 public:
  bool has(const StreamState* stream, std::uint64_t count) const {
    return std::any_of(places_.begin(), places_.end(),
                       [&](const Place& place) { return place.stream == stream && place.count >= count; });
  }
  void add(const StreamState* stream, std::uint64_t count) {
    const auto known =
        std::find_if(places_.begin(), places_.end(), [&](const Place& place) { return place.stream == stream; });
    Place& place = known != places_.end() ? *known : places_[oldest_++ % places_.size()];
    place = {stream, count};
  }

 private:
  struct Place {
    const StreamState* stream = nullptr;
    std::uint64_t count = 0;
  };
  std::array<Place, 8> places_{};
  std::size_t oldest_ = 0;
};

}  // namespace kaon::gpu

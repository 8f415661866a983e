// SPDX-License-Identifier: Apache-2.0
// Rings of chares that move with the ends of their channels (wanderer.hpp), as tests set them up and look at them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/device/moved_ends.hpp"
#include "tests/device/wanderer.hpp"

namespace kaon::testing {

struct Ring {
  int members = 4;
  RingWay way = RingWay::task;
  std::uint32_t rounds = 60, seed = 1;
  RingEnd end = RingEnd::stay;
};
inline Ring ring;
/// Hardware queues that a device needs for it: streams that wait for rounds take one each, and so do those that bring
/// rounds to where a neighbor has moved.
constexpr int kQueuesOfStreams = 32;
inline int queues_of(RingWay way) { return way == RingWay::stream ? kQueuesOfStreams : 0; }

inline Task<bool> has_told(Proxy<Wanderer> wanderers, std::uint32_t rounds) {
  const std::vector<RingNumbers> expected = told_in_ring(ring.members, rounds);
  for (int i = 0; i < ring.members; ++i) {
    const RingNumbers numbers = co_await wanderers[i].call<&Wanderer::numbers>();
    if (numbers != expected[static_cast<std::size_t>(i)]) co_return false;
  }
  co_return true;
}

}  // namespace kaon::testing

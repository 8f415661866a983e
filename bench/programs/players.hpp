// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/rally.hpp"

namespace kaon::bench {

/// Makes `count` objects of a scheduler, each of which plays with one of another worker.
template <class Meet, class Players>
Task<std::vector<gpu::DeviceObject<typename Meet::Object>>> make_players(Players& players, unsigned count,
                                                                         gpu::HostTarget<std::uint32_t> over) {
  std::vector<gpu::DeviceObject<typename Meet::Object>> objects;
  for (unsigned i = 0; i < count; ++i) objects.push_back(co_await players.make(typename Meet::Object{}));
  for (unsigned i = 0; i < count; ++i)
    co_await players.call(objects[i], Meet{objects[(i + count / 2 + 1) % count], over});
  co_return objects;
}

}  // namespace kaon::bench

// SPDX-License-Identifier: Apache-2.0
// What tests of small payloads that are carried have in common.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

/// The counts of all PEs of a run together.
struct CarriedCounts {
  std::uint64_t carried = 0;        // payloads
  std::uint64_t by_themselves = 0;  // of these, into memory that their receivers had lent
  std::size_t lent = 0;             // places, in the end
};

/// Disables fetching: payloads that a kernel is still making would be fetched instead of carried.
inline DeviceSceneSettings without_fetching(DeviceSceneSettings settings) {
  settings.fetches = false;
  return settings;
}

template <class Main>
CarriedCounts run_carried(Main main_task, const DeviceSceneSettings& settings = {}) {
  DeviceScene scene(without_fetching(settings));
  scene.run(main_task);
  CarriedCounts counts;
  for (PeId pe = 0; pe < scene.network().pes(); ++pe) {
    counts.carried += scene.network().pe(pe).exchange().transfers()[Route::carried].payloads;
    const gpu::CarriedEngine& engine = scene.payloads(pe).engines().carried();
    counts.by_themselves += engine.came_by_themselves();
    counts.lent += engine.places().lent();
  }
  return counts;
}

/// One on each PE, all of which have kernels that carry.
template <class Opener>
Task<Group<Opener>> open_on_all(Runtime& runtime) {
  const auto openers = co_await runtime.create_group<Opener>();
  openers.template broadcast<&Opener::open>();
  co_await runtime.quiescence();
  co_return openers;
}

template <class Taker>
Task<> expect_good(Group<Taker> takers, int wanted) {
  const int good = co_await takers.template call_all<&Taker::good>(kaon::sum);
  CHECK(good == wanted);
}

}  // namespace kaon::testing

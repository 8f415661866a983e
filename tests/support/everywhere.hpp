// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/testing/scene.hpp"

namespace kaon::testing {

/// Runs `main_task` in scenes of several shapes and orders of delivery; `before` each, to reset what it observes.
void run_everywhere(Scene::MainTask main_task, void (*before)() = nullptr);

/// From the first to the last.
struct Seeds {
  std::uint64_t first, last;
};
/// The same in scenes of one shape, one for each seed, in which all that is delivered may overtake all else.
void run_in_any_order(const Network::Shape& shape, const Seeds& seeds, const Scene::MainTask& main_task,
                      void (*before)() = nullptr);

}  // namespace kaon::testing

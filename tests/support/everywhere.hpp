// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/testing/scene.hpp"

namespace kaon::testing {

/// Runs `main_task` in scenes of several shapes and orders of delivery; `before` each, to reset what it observes.
void run_everywhere(Scene::MainTask main_task, void (*before)() = nullptr);

}  // namespace kaon::testing

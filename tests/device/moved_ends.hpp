// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/channels/channel_movers.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {

/// Checks that moves of channel ends have left nothing behind, also no places that ends have left.
inline void check_nothing_is_left(DeviceScene& scene) {
  scene.network().run_until_idle();
  for (PeId id = 0; id < scene.network().pes(); ++id)
    scene.network().on(id, [&](Pe&) { CHECK(gpu::ChannelMovers::of(scene.device(id))->is_over()); });
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/pe/stall_watch.hpp"
#include "kaon/testing/scene.hpp"

namespace kaon::testing {

/// Runs until nothing happens any more, and has the run looked at for a deadlock so often. Throws when it is one.
inline void look_often(Scene& scene, int looks = 5) {
  scene.network().run_until_idle();
  for (int look = 0; look < looks; ++look) {
    scene.network().on(0, [](Pe& pe) { pe.stall_watch().look(); });
    scene.network().run_until_idle();
  }
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/everywhere.hpp"

#include "tests/support/catch.hpp"

namespace kaon::testing {

void run_everywhere(Scene::MainTask main_task, void (*before)()) {
  const Network::Shape shapes[] = {{1, 1}, {1, 3}, {3, 1}, {2, 3}, {4, 2, {1, 0, 0, 1}}};
  std::uint64_t seed = 0;
  for (const Network::Shape& shape : shapes) {
    for (const auto order : {LoopbackNetwork::Order::lanes_in_order, LoopbackNetwork::Order::any}) {
      INFO(shape.processes << " processes of " << shape.pes_per_process << " PEs"
                           << (shape.hosts.empty() ? "" : " on several hosts") << ", seed " << ++seed);
      if (before != nullptr) before();
      Scene scene(shape, default_options(), seed);
      scene.network().set_order(order);
      scene.run(main_task, static_cast<PeId>(seed % scene.network().pes()));
    }
  }
}

void run_in_any_order(const Network::Shape& shape, const Seeds& seeds, const Scene::MainTask& main_task,
                      void (*before)()) {
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    INFO("seed " << seed);
    if (before != nullptr) before();
    Scene scene(shape, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run(main_task, static_cast<PeId>(seed % scene.network().pes()));
  }
}

}  // namespace kaon::testing

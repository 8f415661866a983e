// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Channels whose ends move with their chares, and end while the others are still on their way.
#include <utility>
#include <vector>

#include "tests/device/ring_scene.hpp"

namespace kaon::testing {
namespace {

/// Each begins to move when it has connected its own ends, and parts from its neighbors when it has said all.
Task<> hurry(Runtime& runtime) {
  const auto wanderers = co_await runtime.create<Wanderer>(ring.members, ring.members, ring.way, ring.seed, ring.end);
  wanderers.broadcast<&Wanderer::connect_and_walk>(ring.rounds);
  co_await runtime.quiescence();
  const bool is_right = co_await has_told(wanderers, ring.rounds);
  CHECK(is_right);
}

/// Each moves once more behind its last round, and closes its ends where it has come to.
Task<> close_elsewhere(Runtime& runtime) {
  const auto wanderers = co_await runtime.create<Wanderer>(ring.members, ring.members, ring.way, ring.seed);
  (void)co_await wanderers.call_all<&Wanderer::connect>(sum);
  wanderers.broadcast<&Wanderer::talk>(ring.rounds);
  co_await runtime.quiescence();
  for (int i = 0; i < ring.members; ++i)
    if ((ring.seed >> i & 1U) != 0) wanderers[i].send<&Wanderer::go>((ring.seed + 1) % runtime.pes());
  if (ring.seed % 3 == 0) co_await runtime.quiescence();
  const int closed = co_await wanderers.call_all<&Wanderer::close>(sum);
  CHECK(closed == ring.members);
}

void run_ring(DeviceSceneSettings settings, Task<> (*main_task)(Runtime&)) {
  settings.seed = ring.seed;
  settings.least_queues = queues_of(ring.way);
  CAPTURE(ring.seed, static_cast<int>(ring.end), settings.shape.processes, settings.shape.pes_per_process);
  DeviceScene scene(settings);
  if (ring.seed % 2 == 0) scene.network().set_order(LoopbackNetwork::Order::any);
  scene.run(main_task);
}

const std::vector<RingWay> kTasks{RingWay::task, RingWay::gathered};

void run_hurried(const DeviceSceneSettings& settings, std::uint32_t seeds) {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed)
    for (const RingEnd end : {RingEnd::close, RingEnd::drop}) {
      ring = {static_cast<int>(2 + seed % 3), kTasks[seed % 2], 1 + seed % 5, seed, end};
      run_ring(settings, hurry);
    }
}

}  // namespace

TEST_CASE("chares that move as soon as they are connected close or drop their ends while others move",
          "[device][channel][moved]") {
  DeviceSceneSettings settings;
  for (const Network::Shape& shape : {Network::Shape{1, 3}, Network::Shape{2, 2}, Network::Shape{3, 1}}) {
    settings.shape = shape;
    run_hurried(settings, 40);
  }
  settings.stages_all = true;
  run_hurried(settings, 20);
}

TEST_CASE("chares whose streams wait for rounds drop their ends while others move, through the network's staging",
          "[device][channel][moved]") {
  DeviceSceneSettings settings;
  settings.stages_all = settings.stages_through_network = true;
  for (const auto& [shape, seed] : {std::pair(Network::Shape{2, 2}, 68U), std::pair(Network::Shape{2, 1}, 134U)}) {
    settings.shape = shape;
    for (std::uint32_t each = seed - 3; each <= seed + 3; ++each) {
      ring = {static_cast<int>(2 + each % 3), RingWay::stream, 1 + each % 5, each, RingEnd::drop};
      run_ring(settings, hurry);
    }
  }
}

TEST_CASE("channels are closed by chares that have moved behind their last round", "[device][channel][moved]") {
  DeviceSceneSettings settings;
  for (const Network::Shape& shape : {Network::Shape{1, 3}, Network::Shape{2, 2}}) {
    settings.shape = shape;
    for (std::uint32_t seed = 1; seed <= 16; ++seed) {
      ring = {static_cast<int>(2 + seed % 4), kTasks[seed % 2], 40, seed, RingEnd::stay};
      run_ring(settings, close_elsewhere);
    }
  }
}

}  // namespace kaon::testing

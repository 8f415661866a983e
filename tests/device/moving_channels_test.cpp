// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Channels whose ends move with their chares.
#include <string>
#include <tuple>
#include <vector>

#include "tests/device/ring_scene.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/programs.hpp"

namespace kaon::testing {
namespace {

Task<> wander(Runtime& runtime) {
  const auto wanderers = co_await runtime.create<Wanderer>(ring.members, ring.members, ring.way, ring.seed);
  (void)co_await wanderers.call_all<&Wanderer::connect>(sum);
  wanderers.broadcast<&Wanderer::walk>(ring.rounds);
  co_await runtime.quiescence();
  const bool is_right = co_await has_told(wanderers, ring.rounds);
  CHECK(is_right);
  (void)co_await wanderers.call_all<&Wanderer::close>(sum);
}

const std::vector<RingWay> kWays{RingWay::task, RingWay::gathered, RingWay::stream};

void run_rings(DeviceSceneSettings settings, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const RingWay way : kWays) {
      ring = {static_cast<int>(2 + seed % 4), way, 40, static_cast<std::uint32_t>(seed), RingEnd::stay};
      settings.seed = seed;
      settings.least_queues = queues_of(way);
      CAPTURE(seed, static_cast<int>(way), settings.shape.processes, settings.shape.pes_per_process);
      DeviceScene scene(settings);
      if (seed % 2 == 0) scene.network().set_order(LoopbackNetwork::Order::any);
      scene.run(wander);
      check_nothing_is_left(scene);
    }
}

const std::string kLauncher = program("kaonrun");
const std::string kWander = test_program("device_wander_program");

void check_program(const std::string& processes, const std::string& pes, std::vector<std::string> more) {
  std::vector<std::string> command{kLauncher, "-n", processes, kWander, "1", "2", "--device", "host", "--pes", pes};
  command.insert(command.end(), more.begin(), more.end());
  const ProgramRun run = run_program(command);
  CAPTURE(command, run.text);
  CHECK(run.code == 0);
}

}  // namespace

TEST_CASE("rounds of a channel reach chares that move between processes of a host", "[device][channel][moved]") {
  for (const char* processes : {"2", "3"})
    for (const char* pes : {"1", "2"}) check_program(processes, pes, {});
  check_program("2", "2", {"--transport", "staged"});
}

TEST_CASE("rounds of a channel reach chares that move between PEs of a process", "[device][channel][moved]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 3};
  run_rings(settings, 8);
  settings.devices = 2;
  run_rings(settings, 8);
}

TEST_CASE("rounds of a channel reach chares that move between processes", "[device][channel][moved]") {
  DeviceSceneSettings settings;
  for (const Network::Shape& shape : {Network::Shape{2, 1}, Network::Shape{2, 2}, Network::Shape{3, 1}}) {
    settings.shape = shape;
    run_rings(settings, 8);
  }
}

TEST_CASE("rounds of a channel reach chares that move out of reach and back", "[device][channel][moved]") {
  for (const auto& [stages_all, has_peer_access] : {std::pair(true, true), std::pair(false, false)}) {
    DeviceSceneSettings settings;
    settings.shape = {2, 2};
    settings.stages_all = stages_all;
    settings.has_peer_access = has_peer_access;
    run_rings(settings, 8);
    settings.stages_through_network = true;
    run_rings(settings, 4);
  }
}

}  // namespace kaon::testing

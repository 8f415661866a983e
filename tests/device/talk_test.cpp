// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Channels whose ends tasks, streams and entries drive.
#include <string>
#include <tuple>
#include <utility>

#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/talker.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

std::array<TalkWay, 2> ways{};

Task<> talk(Runtime& runtime) {
  for (int time = 0; time < 3; ++time) {  // later ones get the flags of those before
    const bool is_right = co_await talk_as(runtime, ways);
    CHECK(is_right);
  }
}

}  // namespace

TEST_CASE("tasks, streams and entries hear each other through a channel in any pairing, wherever they are",
          "[device][channel]") {
  std::uint64_t seed = 0;
  for (const auto& [shape, devices] : {std::tuple(Network::Shape{1, 1}, 1), std::tuple(Network::Shape{1, 2}, 1),
                                       std::tuple(Network::Shape{1, 2}, 2), std::tuple(Network::Shape{2, 1}, 1)})
    for (const TalkWay one : kTalkWays)
      for (const TalkWay other : kTalkWays) {
        DeviceSceneSettings settings;
        settings.shape = shape;
        settings.devices = devices;
        settings.seed = ++seed;
        ways = {one, other};
        CAPTURE(shape.processes, shape.pes_per_process, devices, static_cast<int>(one), static_cast<int>(other));
        DeviceScene scene(settings);
        scene.run(talk);
      }
}

TEST_CASE("rounds are staged where kernels do not reach the partner's memory, or when that is asked for",
          "[device][channel]") {
  std::uint64_t seed = 0;
  for (const auto& [stages_all, has_peer_access] : {std::pair(true, true), std::pair(false, false)})
    for (const TalkWay one : kTalkWays)
      for (const TalkWay other : kTalkWays) {
        DeviceSceneSettings settings;
        settings.shape = {2, 1};
        settings.stages_all = stages_all;
        settings.has_peer_access = has_peer_access;
        settings.stages_through_network = seed % 2 == 0;
        settings.seed = ++seed;
        ways = {one, other};
        CAPTURE(stages_all, has_peer_access, static_cast<int>(one), static_cast<int>(other));
        DeviceScene scene(settings);
        scene.run(talk);
        const std::string report = to_text(scene.network().pe(0).exchange().transfers());
        CAPTURE(report);
        CHECK(report.find("rounds of channels") != std::string::npos);
      }
}

}  // namespace kaon::testing

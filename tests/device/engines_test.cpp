// SPDX-License-Identifier: Apache-2.0
// Which engine a payload takes to another process, and what is told of the better ones.
#include "kaon/gpu/engines/engines.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace engines {

constexpr std::size_t kInts = 300'000;  // more than one piece of staging

class Taker : public Chare<Taker> {
 public:
  Task<> take(int seed, Payload<int> values) {
    const bool is_good = co_await is_right(stream_, std::move(values), kInts, seed);
    good_ += is_good;
  }
  void give() { array()[1 - index().x].send<&Taker::take>(7, made_on(stream_, kInts, 7)); }
  void give_others() {
    const int pes = array().shape().x;
    for (int to = 0; to < pes; ++to)
      if (to * 2 / pes != index().x * 2 / pes) array()[to].send<&Taker::take>(7, made_on(stream_, kInts, 7));
  }
  int good() const { return good_; }

 private:
  gpu::Stream stream_;
  int good_ = 0;
};

/// One payload each way.
Task<> exchange(Runtime& runtime) {
  const auto takers = co_await runtime.create<Taker>(2);
  for (int from : {0, 1}) takers[from].send<&Taker::give>();
  co_await runtime.quiescence();
  const int good = co_await takers.call_all<&Taker::good>(kaon::sum);
  CHECK(good == 2);
}

/// One payload from each PE to all of the other process.
Task<> cross(Runtime& runtime) {
  const auto takers = co_await runtime.create_group<Taker>();
  for (PeId pe = 0; pe < runtime.pes(); ++pe) takers[pe].send<&Taker::give_others>();
  co_await runtime.quiescence();
  const int good = co_await takers.call_all<&Taker::good>(kaon::sum);
  CHECK(good == static_cast<int>(runtime.pes() * runtime.pes() / 2));
}

}  // namespace engines

namespace {

/// What the PEs of two processes say of what they sent.
struct Reports {
  runtime::TransferReport of[2];
  explicit Reports(const DeviceSceneSettings& settings) {
    DeviceScene scene(settings);
    scene.run(&engines::exchange);
    for (PeId pe : {0U, 1U}) of[pe] = scene.network().pe(pe).exchange().transfers();
  }
};

bool has_fallback(const runtime::TransferReport& report, Route refused, const std::string& reason) {
  for (const auto& fallback : report.fallbacks)
    if (fallback.refused == refused && has(fallback.reason, reason)) return true;
  return false;
}

}  // namespace

TEST_CASE("a payload takes the first engine that can, and nothing is told against it", "[device][engines]") {
  const Reports reports({});
  for (const runtime::TransferReport& report : reports.of) {
    CHECK(report[Route::direct].payloads == 1);
    CHECK(report.staged() == 0);
    CHECK(report.fallbacks.empty());
  }
}

TEST_CASE("of each engine that is better than the one it takes, a payload's report says why not", "[device][engines]") {
  DeviceSceneSettings settings;
  settings.stages_all = true;
  for (const runtime::TransferReport& report : Reports(settings).of) {
    CHECK(report[Route::staged_in_memory].payloads == 1);
    CHECK(report.fallbacks.size() == 1);
    CHECK(has_fallback(report, Route::direct, "--transport staged"));
  }
  settings.stages_through_network = true;
  for (const runtime::TransferReport& report : Reports(settings).of) {
    CHECK(report[Route::staged_by_network].payloads == 1);
    CHECK(report.fallbacks.size() == 2);
    CHECK(has_fallback(report, Route::direct, "--transport staged"));
    CHECK(has_fallback(report, Route::staged_in_memory, "KAON_TESTING=stage_through=network"));
  }
}

TEST_CASE("payloads for a device that is out of reach are staged, and the report says why", "[device][engines]") {
  DriverNotes notes;
  DeviceSceneSettings settings;
  settings.has_peer_access = false;
  settings.notes = &notes;
  for (const runtime::TransferReport& report : Reports(settings).of) {
    CHECK(report[Route::direct].payloads == 0);
    CHECK(report[Route::staged_in_memory].payloads == 1);
    CHECK(report.fallbacks.size() == 1);
    CHECK(has_fallback(report, Route::direct, "out of reach"));
  }
  CHECK(notes.imports == 2);  // each process has tried once
}

TEST_CASE("a process tries once whether its device reaches another one, whatever many PEs use both",
          "[device][engines]") {
  DriverNotes notes;
  DeviceSceneSettings settings;
  settings.shape = {2, 3};
  settings.notes = &notes;
  DeviceScene scene(settings);
  CHECK(notes.imports == 2);  // as the run starts: the first payload need not wait for it
  scene.run(&engines::cross);
  CHECK(notes.imports == 2);
}

TEST_CASE("what a process has mapped of others stays until the end, as letting it go waits for the device",
          "[device][engines]") {
  DriverNotes notes;
  DeviceSceneSettings settings;
  settings.notes = &notes;
  {
    DeviceScene scene(settings);
    scene.run(&engines::cross);
    CHECK(notes.closed == 0);
  }
  CHECK(notes.closed == 2);
}

TEST_CASE("who stages all payloads maps nothing of others", "[device][engines]") {
  DriverNotes notes;
  DeviceSceneSettings settings;
  settings.notes = &notes;
  settings.stages_all = true;
  DeviceScene scene(settings);
  scene.run(&engines::cross);
  CHECK(notes.imports == 0);
}

TEST_CASE("when the network takes the host for a payload the next ones are staged", "[device][engines]") {
  DeviceScene scene({});
  scene.network().wire().map_device_memory(false);
  scene.run(&engines::exchange);
  scene.run(&engines::exchange);
  for (PeId pe : {0U, 1U}) {
    const runtime::TransferReport& report = scene.network().pe(pe).exchange().transfers();
    CHECK(report[Route::network].payloads == 1);
    CHECK(report[Route::staged_in_memory].payloads == 1);
    CHECK(has_fallback(report, Route::direct, "UCX maps no device memory"));
  }
}

TEST_CASE("a payload is received by the engine that its sender has chosen", "[device][engines]") {
  DeviceSceneSettings settings;
  settings.engines = {{.stages_all = true, .stages_through_network = true}, {.stages_all = true}};
  const Reports reports(settings);
  CHECK(reports.of[0][Route::staged_by_network].payloads == 1);
  CHECK(reports.of[1][Route::staged_in_memory].payloads == 1);
}

TEST_CASE("a route that is none for device memory is refused", "[device][engines][bad input]") {
  DeviceScene scene({});
  scene.network().on(0, [&](Pe&) {
    runtime::PayloadRecord record;
    Work done;
    const std::string text = thrown<CorruptMessage>([&] {
      scene.payloads(0).engines().submit(Route::host, {gpu::Way::in, 1, 0, record, done});
    });
    CHECK(has(text, "none for it"));
  });
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
// Which devices a process starts, and what happens to the others.
#include "kaon/gpu/platform/platform.hpp"

#include "kaon/runtime/base/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using Numbers = std::set<int>;
using Pairs = std::set<std::pair<int, int>>;

DeviceSceneSettings settings_with(DriverNotes& notes, int devices, int pes) {
  DeviceSceneSettings settings;
  settings.shape = {1, pes};
  settings.devices = devices;
  settings.notes = &notes;
  return settings;
}

}  // namespace

TEST_CASE("only devices that a PE uses are started", "[device][platform]") {
  DriverNotes notes;
  const DeviceScene alone(settings_with(notes, 4, 1));
  CHECK(notes.used == Numbers{0});
  CHECK(notes.peers.empty());
  notes = {};
  const DeviceScene shared(settings_with(notes, 2, 4));
  CHECK(notes.used == Numbers{0, 1});
  CHECK(notes.peers.empty());
}

TEST_CASE("a device that cannot be used is left alone, and its PEs take the others", "[device][platform]") {
  DriverNotes notes;
  notes.unusable = {{0, "device 0 is too old"}, {2, "device 2 is taken"}};
  DeviceScene scene(settings_with(notes, 4, 2));
  CHECK(notes.used == Numbers{1, 3});
  CHECK(scene.device(0).number() == 1);
  CHECK(scene.device(1).number() == 3);
}

TEST_CASE("when no device can be used each is named with the reason", "[device][platform][bad input]") {
  DriverNotes notes;
  notes.unusable = {{0, "device 0 is too old"}, {1, "device 1 is taken"}};
  const std::string text = thrown<UsageError>([&] { DeviceScene scene(settings_with(notes, 2, 1)); });
  CHECK(has(text, "no device can be used"));
  CHECK(has(text, "device 0 is too old"));
  CHECK(has(text, "device 1 is taken"));
}

namespace platform {

class Taker : public Chare<Taker> {
 public:
  void take(Payload<int> values) { (void)values.view(stream_); }
  void send() {
    const int next = (index().x + 1) % array().shape().x;
    array()[next].send<&Taker::take>(made_on(stream_, 1000, 1));
  }

 private:
  gpu::Stream stream_;
};

Task<> send_round(Runtime& runtime) {
  const auto takers = co_await runtime.create_group<Taker>();
  for (PeId pe = 0; pe < runtime.pes(); ++pe) takers[pe].send<&Taker::send>();
  co_await runtime.quiescence();
}

}  // namespace platform

TEST_CASE("devices reach each other when memory goes from one to the other, once", "[device][platform]") {
  DriverNotes notes;
  DeviceScene scene(settings_with(notes, 3, 3));
  scene.run(&platform::send_round);
  CHECK(notes.peers == Pairs{{1, 0}, {2, 1}, {0, 2}});
}

TEST_CASE("each turn finds the PE's device the current one, whatever libraries did", "[device][platform]") {
  DriverNotes notes;
  DeviceScene scene(settings_with(notes, 1, 1));
  const std::size_t before = notes.made_current;
  scene.payloads(0).progress();
  CHECK(notes.made_current == before + 1);
}

}  // namespace kaon::testing

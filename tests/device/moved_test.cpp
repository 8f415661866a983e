// SPDX-License-Identifier: Apache-2.0
// Elements that move while payloads for them are on their way.
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/traffic.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::moved {

constexpr std::size_t kSize = 3000;
constexpr int kSeed = 5;
PeId place = 0;
int good = 0;
int taken = 0;
int last_value = 0;

class Nomad : public Chare<Nomad> {
 public:
  Task<> pooled(int seed, Payload<int> values) { return check(seed, std::move(values)); }
  /// Without waiting, so that it may move on at once; the emulation's copies reach the memory of the host.
  void landed(Payload<int> values) {
    ++taken;
    stream_.copy(gpu::Span<int>(&last_value, 1), values.view(stream_).subspan(kSize - 1, 1));
  }
  Landing post(PostFor<&Nomad::landed>, const Payload<int>& values) {
    memory_ = gpu::Buffer<int>(values.size(), stream_);
    return Landing::into(memory_.span(), stream_);
  }
  void give(int seed, bool is_landed) {
    const auto to = array()[1 - index().x];
    if (is_landed)
      to.send<&Nomad::landed>(made_on(stream_, kSize, seed));
    else
      to.send<&Nomad::pooled>(seed, made_on(stream_, kSize, seed));
  }
  void go(PeId to) { migrate_to(to); }
  void look() { place = pe(); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(kept_);
  }

 private:
  Task<> check(int seed, Payload<int> values) {
    ++taken;
    place = pe();
    const bool is_good = co_await is_right(stream_, std::move(values), kSize, seed);
    good += is_good;
  }
  int kept_ = 0;
  gpu::Stream stream_;
  gpu::Buffer<int> memory_;
};

/// The header reaches element 1 on PE 1, which is told to move to PE 2 before the payload comes.
template <bool kIsLanded>
Task<> give_and_go(Runtime& runtime) {
  const Proxy<Nomad> nomads = co_await runtime.create<Nomad>(2);
  nomads[0].send<&Nomad::go>(0);
  nomads[1].send<&Nomad::go>(1);
  co_await runtime.quiescence();
  nomads[0].send<&Nomad::give>(kSeed, kIsLanded);
}

Task<> tell_to_go(Runtime&) {
  const Proxy<Nomad> nomads(1, Shape(2));  // the only array of the run
  nomads[1].send<&Nomad::go>(2);
  co_return;
}

Task<> tell_to_look(Runtime&) {
  const Proxy<Nomad> nomads(1, Shape(2));
  nomads[1].send<&Nomad::look>();
  co_return;
}

Task<> wander(Runtime& runtime) {
  const int count = 2 * static_cast<int>(runtime.pes());
  const auto nodes = co_await runtime.create<DeviceNode>(count);
  for (int i = 0; i < count; ++i) nodes[i].send<&DeviceNode::wander>(8, Payload<int>());
  co_await runtime.quiescence();
  const int seen = co_await nodes.call_all<&DeviceNode::visits>(kaon::sum);
  CHECK(seen == 9 * count);
}

template <bool kIsLanded>
void check_moved(bool stages_all, std::uint64_t seed) {
  DeviceSceneSettings settings;
  settings.shape = {3, 1};
  settings.stages_all = stages_all;
  settings.fetches = false;  // the network is to hold them
  settings.seed = seed;
  place = 99;
  good = taken = last_value = 0;
  DeviceScene scene(settings);
  Network& network = scene.network();
  network.wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  scene.run(give_and_go<kIsLanded>);
  network.run_until_idle();
  CHECK(taken == 0);
  scene.run(tell_to_go);
  network.run_until([] { return false; }, 3000);
  scene.run(tell_to_look);
  CHECK(network.run_until([] { return place != 99; }));
  CHECK(place == (kIsLanded ? 1 : 2));  // with receives posted into its memory it stays
  network.wire().hold({});
  CHECK(network.run_until([] { return taken == 1 && good == (kIsLanded ? 0 : 1); }));
  network.run_until_idle();
  place = 99;
  scene.run(tell_to_look);
  CHECK(network.run_until([] { return place != 99; }));
  CHECK(place == 2);
}

template <bool kIsLanded>
void check_all_moved() {
  for (const bool stages_all : {false, true})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      check_moved<kIsLanded>(stages_all, seed);
      CHECK(last_value == (kIsLanded ? kSeed + static_cast<int>(kSize) - 1 : 0));  // all streams have ended
    }
}

TEST_CASE("a payload for an element that has moved is sent on", "[device][moved]") { moved::check_all_moved<false>(); }

TEST_CASE("an element does not move while a payload is received into its memory", "[device][moved]") {
  moved::check_all_moved<true>();
}

TEST_CASE("payloads find elements that never stay", "[device][moved]") { run_on_devices(moved::wander); }

}  // namespace kaon::testing::moved

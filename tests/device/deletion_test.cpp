// SPDX-License-Identifier: Apache-2.0
// Elements that are deleted while payloads for them are on their way.
#include <numeric>

#include "kaon/chares/migration/departure.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::dying {

constexpr std::size_t kSize = 3000;
constexpr int kSeed = 5;
enum class Way : int { pooled, landed, later };

int alive = 0;
int taken = 0;
int freed = 0;  // payloads whose senders have their memory back
int last_value = 0;

void reset() { alive = taken = freed = last_value = 0; }

class Mortal : public Chare<Mortal> {
 public:
  Mortal() { ++alive; }
  ~Mortal() { --alive; }

  Task<> pooled(int seed, Payload<int> values) {
    ++taken;
    const bool is_good = co_await is_right(stream_, std::move(values), kSize, seed);
    CHECK(is_good);
  }
  /// Without waiting: it may be deleted as this ends. The emulation's copies reach the memory of the host.
  void landed(Payload<int> values) {
    ++taken;
    stream_.copy(gpu::Span<int>(&last_value, 1), values.view(stream_).subspan(kSize - 1, 1));
  }
  Landing post(PostFor<&Mortal::landed>, const Payload<int>& values) {
    return Landing::into(memory_.emplace_back(values.size(), stream_).span(), stream_);
  }
  void later(Payload<int> values) {
    ++taken;
    kept_.push_back(std::move(values));
  }
  Landing post(PostFor<&Mortal::later>, const Payload<int>&) { return Landing::later(); }

  Task<int> give(Element<Mortal> to, Way way) {
    Payload<int> payload = made_on(stream_, kSize, kSeed);
    Sent sent(payload);
    send(to, way, std::move(payload));
    co_await sent;
    ++freed;
    co_return 1;
  }
  Task<int> kill(Element<Mortal> to) {
    to.send<&Mortal::die>();
    co_return 0;
  }
  /// Side by side: some memory is free only when the one that kept its payload is deleted.
  Task<int> give_all(Element<Mortal> to, int times) {
    std::vector<Task<int>> tasks;
    for (int time = 0; time < times; ++time) {
      if (index().x == 0 && time == times / 2) tasks.push_back(kill(to));
      for (const Way way : {Way::pooled, Way::landed, Way::later}) tasks.push_back(give(to, way));
    }
    const std::vector<int> given = co_await all(std::move(tasks));
    co_return std::accumulate(given.begin(), given.end(), 0);
  }
  void die() { destroy(); }

 private:
  static void send(Element<Mortal> to, Way way, Payload<int> payload) {
    if (way == Way::pooled) return to.send<&Mortal::pooled>(kSeed, std::move(payload));
    if (way == Way::landed) return to.send<&Mortal::landed>(std::move(payload));
    to.send<&Mortal::later>(std::move(payload));
  }
  gpu::Stream stream_;
  std::vector<gpu::Buffer<int>> memory_;
  std::vector<Payload<int>> kept_;
};

const Proxy<Mortal> kOnlyArray(1, 2);

template <Way kWay>
Task<> give_one(Runtime& runtime) {
  const Proxy<Mortal> mortals = co_await runtime.create<Mortal>(3);
  mortals[0].send<&Mortal::give>(mortals[1], kWay);
}

Task<> kill_receiver(Runtime&) {
  kOnlyArray[1].send<&Mortal::die>();
  co_return;
}

struct Expected {
  int taken_before, alive_before;  // the payload's arrival
  int taken_after;
};

// The header reaches element 1 on PE 1, which is deleted before the payload comes.
template <Way kWay>
void check_deleted(const DeviceSceneSettings& settings, const Expected& expected) {
  reset();
  DeviceScene scene(settings);
  Network& network = scene.network();
  network.wire().hold(
      [](const LoopbackNetwork::Parcel& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  scene.run(give_one<kWay>);
  network.run_until_idle();
  CHECK(alive == 3);
  CHECK(taken == expected.taken_before);
  scene.run(kill_receiver);
  network.run_until([] { return false; }, 3000);
  CHECK(alive == expected.alive_before);
  CHECK(taken == expected.taken_before);
  CHECK(freed == 0);
  network.wire().hold({});
  CHECK(network.run_until([] { return freed == 1 && alive == 2; }));
  network.run_until_idle();
  CHECK(taken == expected.taken_after);
}

template <Way kWay>
void check_all_deleted(const Expected& expected) {
  DeviceSceneSettings settings;
  settings.shape = {3, 1};
  settings.fetches = false;  // the network is to hold them
  for (const bool stages_all : {false, true})
    for (const bool through_network : {true, false})
      for (settings.seed = 1; settings.seed <= 4; ++settings.seed) {
        settings.stages_all = stages_all;
        settings.stages_through_network = through_network;
        CAPTURE(stages_all, through_network, settings.seed);
        check_deleted<kWay>(settings, expected);
        CHECK(last_value == (kWay == Way::landed ? kSeed + static_cast<int>(kSize) - 1 : 0));  // all streams have ended
      }
}

Task<> delete_while_sent_to(Runtime& runtime) {
  constexpr int kTimes = 4;
  const int givers = static_cast<int>(runtime.pes()) + 1;
  const Proxy<Mortal> array = co_await runtime.create<Mortal>(givers);
  const Proxy<Mortal> mortals = co_await runtime.create<Mortal>(3);
  const int given = co_await array.call_all<&Mortal::give_all>(sum, mortals[2], kTimes);
  CHECK(given == 3 * kTimes * givers);
  CHECK(freed == given);
  co_await runtime.quiescence();
  CHECK(alive == givers + 2);
}

using dying::Way;

TEST_CASE("a payload for an element that was deleted before it came is dropped", "[device][deletion]") {
  dying::check_all_deleted<Way::pooled>({.taken_before = 0, .alive_before = 2, .taken_after = 0});
}

TEST_CASE("an element is not deleted while a payload is received into its memory", "[device][deletion]") {
  dying::check_all_deleted<Way::landed>({.taken_before = 0, .alive_before = 3, .taken_after = 1});
}

TEST_CASE("later payloads that a deleted element kept give their senders the memory back", "[device][deletion]") {
  dying::check_all_deleted<Way::later>({.taken_before = 1, .alive_before = 2, .taken_after = 1});
}

TEST_CASE("elements are deleted among messages and payloads of every way", "[device][deletion]") {
  run_on_devices(dying::delete_while_sent_to, dying::reset);
}

}  // namespace kaon::testing::dying

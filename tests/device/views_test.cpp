// SPDX-License-Identifier: Apache-2.0
// What streams do with payloads that others have, or have had.
#include <algorithm>

#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::views {

constexpr std::size_t kSize = 3000;
const gpu::Grid kGrid{{4}, {32}};

class Changer : public Chare<Changer> {
 public:
  /// Writes over what it gets and sends it on, round all of them.
  void pass_on(int seed, int stops, Payload<int> values) {
    const gpu::Span<int> span = values.view(first_);
    first_.launch(kGrid, WritePattern{span.data(), span.size(), seed + 1});
    const auto next = array()[(index().x + 1) % array().shape().x];
    if (stops > 0)
      next.send<&Changer::pass_on>(seed + 1, stops - 1, std::move(values));
    else
      next.send<&Changer::look>(seed + 1, std::move(values));
  }
  Task<> look(int seed, Payload<int> values) {
    const bool is_good = co_await is_right(first_, std::move(values), kSize, seed);
    good_ += is_good;
  }
  /// Writes on one stream what it reads on another.
  Task<> change(int seed, Payload<int> values) {
    const gpu::Span<int> span = values.view(first_);
    for (int i = 3; i > 0; --i) first_.launch(kGrid, WritePattern{span.data(), span.size(), seed + i});
    const bool is_good = co_await is_right(second_, std::move(values), kSize, seed + 1);
    good_ += is_good;
  }
  /// Sends what was changed, to one that takes it without looking: its memory is used again.
  void change_and_drop(int seed, Payload<int> values) {
    const gpu::Span<int> span = values.view(first_);
    for (int i = 3; i > 0; --i) first_.launch(kGrid, WritePattern{span.data(), span.size(), seed});
    array()[(index().x + 1) % array().shape().x].send<&Changer::drop>(std::move(values));
  }
  void drop(Payload<int>) {}

  void start(int seed) {
    self().send<&Changer::pass_on>(seed, 2 * array().shape().x, made_on(second_, kSize, seed));
    array()[(index().x + 1) % array().shape().x].send<&Changer::change>(seed, made_on(second_, kSize, seed));
    array()[(index().x + 1) % array().shape().x].send<&Changer::change_and_drop>(seed, made_on(second_, kSize, seed));
  }
  int good() { return std::exchange(good_, 0); }

 private:
  gpu::Stream first_, second_;
  int good_ = 0;
};

Task<> change_all(Runtime& runtime) {
  const int count = static_cast<int>(runtime.pes()) + 1;
  const auto changers = co_await runtime.create<Changer>(count);
  constexpr int kTimes = 5;
  for (int time = 0; time < kTimes; ++time)
    for (int from = 0; from < count; ++from) changers[from].send<&Changer::start>(time * 10'000 + from * 100);
  co_await runtime.quiescence();
  const int good = co_await changers.call_all<&Changer::good>(kaon::sum);
  CHECK(good == 2 * kTimes * count);
}

int of_released = 0;

class Forgetful : public Chare<Forgetful> {
 public:
  Task<> keep_too_long(Payload<int> values) {
    const gpu::Span<int> span = values.view(stream_);
    values = {};
    gpu::Pinned<int> copy(1, stream_);
    stream_.copy(copy, span.subspan(0, 1));
    co_await stream_.drained();
    of_released = copy[0];
  }
  void start() { self().send<&Forgetful::keep_too_long>(made_on(stream_, 100, 1)); }

 private:
  gpu::Stream stream_;
};

Task<> forget(Runtime& runtime) {
  const auto forgetful = co_await runtime.create<Forgetful>(1);
  forgetful[0].send<&Forgetful::start>();
  co_await runtime.quiescence();
}

constexpr int kLater = 50;  // pieces of work
int later_done = 0;
int done_before_reading = 0;
bool was_right = false;

class Neighbor : public Chare<Neighbor> {
 public:
  /// Sends, and gives its stream more to do before the other one has looked.
  void send_and_go_on() {
    array()[1].send<&Neighbor::read>(made_on(stream_, kSize, 7));
    for (int i = 0; i < kLater; ++i) stream_.give([](gpu::NativeStream) {}, [] { ++later_done; });
  }
  void read(const Payload<int>& values) {
    stream_.give([](gpu::NativeStream) {},
                 [data = values.view(stream_).data()] {
                   done_before_reading = later_done;
                   was_right = data[0] == 7;
                 });
  }

 private:
  gpu::Stream stream_;
};

Task<> send_to_a_neighbor(Runtime& runtime) {
  const auto neighbors = co_await runtime.create_group<Neighbor>();
  neighbors[0].send<&Neighbor::send_and_go_on>();
  co_await runtime.quiescence();
}

int wrong_reads = 0;

Task<int> read_elsewhere(bool waits) {
  gpu::Stream writer, reader;
  gpu::Buffer<int> memory(kSize, writer);
  writer.launch(kGrid, WritePattern{memory.data(), kSize, 7});
  if (waits) reader.wait(writer.here());
  gpu::Pinned<int> copy(1, reader);
  reader.copy(copy, memory.span().subspan(0, 1));
  co_await reader.drained();
  co_await writer.drained();
  co_return copy[0];
}

template <bool kWaits>
Task<> read_it_elsewhere(Runtime&) {
  const int value = co_await read_elsewhere(kWaits);
  wrong_reads += value != 7;
}

template <bool kWaits>
int wrong_reads_of_seeds() {
  wrong_reads = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    DeviceSceneSettings settings;
    settings.seed = seed;
    DeviceScene scene(settings);
    scene.run(read_it_elsewhere<kWaits>);
  }
  return wrong_reads;
}

TEST_CASE("a payload that was written over is read, sent and used again after that", "[device][views]") {
  run_on_devices(views::change_all);
}

TEST_CASE("who reads a payload that has ended reads poison", "[device][views]") {
  DeviceScene scene({});
  scene.run(views::forget);
  CHECK(views::of_released == static_cast<int>(0xDBDBDBDB));
}

TEST_CASE("a missing wait between streams shows in some orders, and with it in none", "[device][views]") {
  CHECK(views::wrong_reads_of_seeds<false>() > 0);
  CHECK(views::wrong_reads_of_seeds<true>() == 0);
}

TEST_CASE("a PE that reads what another one of its process made waits for no more than that", "[device][views]") {
  for (const int devices : {1, 2}) {
    int least = views::kLater;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      DeviceSceneSettings settings;
      settings.shape = {1, 2};
      settings.devices = devices;
      settings.seed = seed;
      views::later_done = 0;
      views::was_right = false;
      DeviceScene(settings).run(views::send_to_a_neighbor);
      CHECK(views::was_right);
      least = std::min(least, views::done_before_reading);
    }
    CAPTURE(devices);
    CHECK(least < views::kLater);
  }
}

}  // namespace kaon::testing::views

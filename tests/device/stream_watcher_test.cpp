// SPDX-License-Identifier: Apache-2.0
// threads: the one that watches streams
#include "kaon/gpu/device/stream_watcher.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/host_queue.hpp"
#include "kaon/runtime/work/waker.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/noted_wait.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;
using kaon::testing::DeviceScene;
using kaon::testing::DeviceSceneSettings;

namespace {

/// Two streams of a PE's device, and memory to give them work. By the seed they write words, or events tell of them.
struct Subject {
  explicit Subject(std::uint64_t seed) : scene(settings(seed)) {}
  DeviceSceneSettings settings(std::uint64_t seed) {
    DeviceSceneSettings settings;
    settings.shape = {1, 1};
    settings.seed = seed;
    driver_notes.writes_words = seed % 2 == 0;
    settings.notes = &driver_notes;
    return settings;
  }
  Position work(StreamState& stream) {
    device.driver().fill(&memory, 1, sizeof memory, stream.native);
    return {&stream, ++stream.submitted};
  }
  void look_until_empty() {
    while (!watcher.is_empty()) watcher.look();
  }

  int memory = 0;
  DriverNotes driver_notes;
  DeviceScene scene;
  Device& device = scene.device(0);
  StreamWatcher& watcher = device.stream_watcher();
  StreamState& first = device.streams().take();
  StreamState& second = device.streams().take();
  std::vector<int> notes;
};

}  // namespace

TEST_CASE("a position that is reached needs no wait", "[device][stream_watcher]") {
  Subject subject(1);
  NotedWait wait(subject.notes, 1);
  CHECK(subject.watcher.when_reached({}, wait));
  const Position position = subject.work(subject.first);
  subject.watcher.mark(position);
  subject.look_until_empty();
  CHECK(position.is_known_reached());
  CHECK(subject.watcher.when_reached(position, wait));
  CHECK(subject.notes.empty());
}

TEST_CASE("waits of one stream are called in the order of their positions, and then of their asking",
          "[device][stream_watcher]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Subject subject(seed);
    NotedWait one(subject.notes, 1), two(subject.notes, 2), three(subject.notes, 3), other(subject.notes, 9);
    const Position early = subject.work(subject.first);
    CHECK_FALSE(subject.watcher.when_reached(early, one));
    CHECK_FALSE(subject.watcher.when_reached(subject.work(subject.second), other));
    const Position late = subject.work(subject.first);
    CHECK_FALSE(subject.watcher.when_reached(late, two));
    CHECK_FALSE(subject.watcher.when_reached(late, three));
    subject.look_until_empty();
    std::erase(subject.notes, 9);
    CHECK(subject.notes == std::vector<int>{1, 2, 3});
  }
}

TEST_CASE("a position is reached when the event of a later one of its stream was seen", "[device][stream_watcher]") {
  Subject subject(3);
  NotedWait wait(subject.notes, 1);
  const Position early = subject.work(subject.first);
  const Position late = subject.work(subject.first);
  CHECK_FALSE(subject.watcher.when_reached(early, wait));  // recorded behind both
  subject.look_until_empty();
  CHECK(late.is_known_reached());
  CHECK(subject.notes == std::vector<int>{1});
}

TEST_CASE("a wait that was forgotten is not called, its neighbors are", "[device][stream_watcher]") {
  for (int forgotten = 1; forgotten <= 3; ++forgotten) {
    Subject subject(4);
    NotedWait one(subject.notes, 1), two(subject.notes, 2), three(subject.notes, 3), four(subject.notes, 4);
    const Position position = subject.work(subject.first);
    NotedWait* waits[] = {&one, &two, &three};
    for (NotedWait* wait : waits) CHECK_FALSE(subject.watcher.when_reached(position, *wait));
    subject.watcher.forget(*waits[forgotten - 1]);
    CHECK_FALSE(subject.watcher.when_reached(position, four));  // the list's end is where it was
    subject.look_until_empty();
    std::vector<int> expected{1, 2, 3, 4};
    std::erase(expected, forgotten);
    CHECK(subject.notes == expected);
  }
}

TEST_CASE("a wait may begin another one and forget itself", "[device][stream_watcher]") {
  struct Chain : Work {
    explicit Chain(Subject& subject) : subject_(subject) {
      run = [](Work& self, Pe&) { static_cast<Chain&>(self).go_on(); };
    }
    void go_on() {
      subject_.watcher.forget(*this);
      if (++turns < 20) CHECK_FALSE(subject_.watcher.when_reached(subject_.work(subject_.first), *this));
    }
    Subject& subject_;
    int turns = 0;
  };
  Subject subject(5);
  Chain chain(subject);
  chain.go_on();
  subject.look_until_empty();
  CHECK(chain.turns == 20);
}

TEST_CASE("what a wait throws keeps nobody else from being told", "[device][stream_watcher]") {
  struct Thrower : Work {
    Thrower() {
      run = [](Work&, Pe&) { throw GpuError("made by the test"); };
    }
  };
  Subject subject(8);
  Thrower thrower;
  NotedWait after(subject.notes, 1), forgotten(subject.notes, 2), last(subject.notes, 3);
  const Position position = subject.work(subject.first);
  CHECK_FALSE(subject.watcher.when_reached(position, thrower));
  for (NotedWait* wait : {&after, &forgotten, &last}) CHECK_FALSE(subject.watcher.when_reached(position, *wait));
  CHECK_THROWS_AS(subject.look_until_empty(), GpuError);
  subject.watcher.forget(forgotten);
  subject.look_until_empty();
  CHECK(subject.notes == std::vector<int>{1, 3});
}

TEST_CASE("a stepped emulation wakes nobody, so a PE that waits for it does not sleep", "[device][stream_watcher]") {
  Subject subject(6);
  CHECK(subject.watcher.arm());
  subject.watcher.mark(subject.work(subject.first));
  CHECK_FALSE(subject.watcher.arm());
  subject.look_until_empty();
  CHECK(subject.watcher.arm());
}

TEST_CASE("a short piece of work wakes a sleeping PE while a long one of another stream goes on",
          "[device][stream_watcher]") {
  Subject subject(7);
  Pe& pe = subject.device.pe();
  const std::unique_ptr<Driver> driver = make_host_driver({});  // streams that are threads
  driver->use(0);
  StreamWatcher watcher(*driver, subject.device, 0, pe);
  std::atomic<bool> may_end_long{false}, may_end_short{false};
  StreamState streams[2];
  std::atomic<bool>* ends[] = {&may_end_long, &may_end_short};
  for (int i = 0; i < 2; ++i) {
    streams[i].owner = &subject.device;
    streams[i].native = driver->make_stream(0);
    enqueue_on_host(streams[i].native, [end = ends[i]] {
      while (!*end) std::this_thread::yield();
    });
    watcher.mark({&streams[i], ++streams[i].submitted});
  }
  CHECK(watcher.arm());
  may_end_short = true;
  CHECK(pe.waker().sleep(-1, std::chrono::minutes(1)) == Waker::Reason::signalled);
  CHECK_FALSE(streams[0].has_reached(1));
  may_end_long = true;
  while (!watcher.is_empty()) watcher.look();
  CHECK(streams[0].has_reached(1));
  for (StreamState& stream : streams) driver->destroy(stream.native);
}

namespace {

/// Streams that are threads, each with a piece of work that ends when the test says so.
struct ManyStreams {
  static constexpr std::size_t kStreams = 64;

  ManyStreams() {
    driver->use(0);
    for (std::size_t i = 0; i < kStreams; ++i) {
      streams[i].owner = &subject.device;
      streams[i].word = &words[i];
      streams[i].native = driver->make_stream(0);
      enqueue_on_host(streams[i].native, [end = &may_end[i]] {
        while (!*end) std::this_thread::yield();
      });
      watcher.mark({&streams[i], ++streams[i].submitted});
    }
  }
  ~ManyStreams() {
    for (std::atomic<bool>& end : may_end) end = true;
    while (!watcher.is_empty()) watcher.look();
    for (StreamState& stream : streams) driver->destroy(stream.native);
  }

  Subject subject{1};
  std::array<std::atomic<bool>, kStreams> may_end{};
  std::array<std::uint64_t, kStreams> words{};
  std::array<StreamState, kStreams> streams;
  DriverNotes notes;
  std::unique_ptr<Driver> driver = std::make_unique<NotingDriver>(make_host_driver({}), notes);
  StreamWatcher watcher{*driver, subject.device, 0, subject.device.pe()};
};

}  // namespace

TEST_CASE("of 64 awaited streams one that is done is seen in the next turn, and the driver is not asked",
          "[device][stream_watcher]") {
  for (const std::size_t done : {0U, 37U, 63U}) {
    ManyStreams many;
    CHECK_FALSE(many.watcher.look());
    many.may_end[done] = true;
    while (!many.streams[done].has_written(1)) std::this_thread::yield();
    CHECK(many.watcher.look());
    CHECK(many.streams[done].has_reached(1));
    CHECK(many.notes.looks == 0);
  }
}

TEST_CASE("a PE does not sleep when a stream has written what it awaits", "[device][stream_watcher]") {
  ManyStreams many;
  many.may_end[5] = true;
  while (!many.streams[5].has_written(1)) std::this_thread::yield();
  CHECK_FALSE(many.watcher.arm());
}

TEST_CASE("a fault of the device is met although its streams write words, none of which comes behind it",
          "[device][stream_watcher]") {
  Subject subject(2);
  enqueue_on_host(subject.first.native, [] { throw GpuError("made by the test"); });
  const Position behind = subject.work(subject.first);
  NotedWait wait(subject.notes, 1);
  CHECK_FALSE(subject.watcher.when_reached(behind, wait));
  CHECK_THROWS_AS(subject.look_until_empty(), GpuError);
  CHECK_FALSE(subject.first.has_written(behind.count));
  CHECK(subject.notes.empty());
  subject.watcher.forget(wait);
}

TEST_CASE("a PE that waits for another one's stream leaves its word alone", "[device][stream_watcher]") {
  Subject subject(4);
  StreamState& own = subject.first;
  std::uint64_t word = 0;
  StreamState others;
  others.word = &word;
  others.native = own.native;
  others.submitted = 3;
  const std::size_t before = subject.driver_notes.words;
  NotedWait wait(subject.notes, 1);
  CHECK_FALSE(subject.watcher.when_reached({&others, 2}, wait));
  subject.look_until_empty();
  CHECK(subject.notes == std::vector<int>{1});
  CHECK(subject.driver_notes.words == before);
}

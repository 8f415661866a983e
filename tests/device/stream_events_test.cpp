// SPDX-License-Identifier: Apache-2.0
// threads: streams that write no words, of which events alone tell how far they have got
#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/host_queue.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/noted_wait.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace kaon::gpu;

namespace {

/// Streams that are threads, each with a piece of work that ends when the test says so.
struct EventStreams {
  static constexpr std::size_t kStreams = 4;  // as many events as one turn asks about

  EventStreams() {
    driver->use(0);
    for (std::size_t i = 0; i < kStreams; ++i) {
      streams[i].owner = &scene.device(0);
      streams[i].native = driver->make_stream(0);
      enqueue_on_host(streams[i].native, [end = &may_end[i]] {
        while (!*end) std::this_thread::yield();
      });
    }
  }
  ~EventStreams() {
    for (std::atomic<bool>& end : may_end) end = true;
    while (!watcher.is_empty()) watcher.look();
    for (StreamState& stream : streams) driver->destroy(stream.native);
  }
  Position next_of(std::size_t stream) { return {&streams[stream], ++streams[stream].submitted}; }
  /// Lets a stream go on to a position that is awaited.
  void reach(Position position) {
    may_end[static_cast<std::size_t>(position.stream - streams.data())] = true;
    while (!driver->is_reached(watcher.mark_at(position).event)) std::this_thread::yield();
  }

  static DeviceSceneSettings settings() {
    DeviceSceneSettings settings;
    settings.shape = {1, 1};
    return settings;
  }

  DeviceScene scene{settings()};
  std::array<std::atomic<bool>, kStreams> may_end{};
  std::array<StreamState, kStreams> streams;
  std::unique_ptr<Driver> driver = make_host_driver({});
  StreamWatcher watcher{*driver, scene.device(0), 0, scene.device(0).pe()};
};

}  // namespace

TEST_CASE("a PE does not sleep when a stream that writes no words has reached what it awaits",
          "[device][stream_watcher]") {
  EventStreams events;
  const Position position = events.next_of(0);
  events.watcher.mark(position);
  CHECK(events.watcher.arm());
  events.reach(position);
  CHECK_FALSE(events.watcher.arm());
}

TEST_CASE("places of one stream are told in order although a turn ends between the looks at them",
          "[device][stream_watcher]") {
  std::vector<int> notes;
  NotedWait early(notes, 1), late(notes, 2);
  EventStreams events;
  CHECK_FALSE(events.watcher.when_reached(events.next_of(0), early));
  for (std::size_t other = 1; other < EventStreams::kStreams; ++other) events.watcher.mark(events.next_of(other));
  const Position last = events.next_of(0);
  CHECK_FALSE(events.watcher.when_reached(last, late));
  CHECK_FALSE(events.watcher.look());  // at all but the last
  events.reach(last);
  while (notes.size() < 2) events.watcher.look();
  CHECK(notes == std::vector<int>{1, 2});
}

TEST_CASE("a PE that sleeps has no stream wait for one that waits for a flag", "[device][stream_watcher]") {
  EventStreams events;
  const Position position = events.next_of(0), other = events.next_of(1);
  events.streams[0].note_flag_wait();
  events.watcher.mark(position);
  CHECK(events.watcher.arm());
  CHECK(events.watcher.wakes().empty());
  CHECK(events.watcher.awaits_flag());
  events.watcher.mark(other);
  CHECK(events.watcher.arm());
  CHECK(events.watcher.wakes().size() == 1);
  events.reach(position);
  while (!position.is_known_reached()) events.watcher.look();
  CHECK_FALSE(events.watcher.awaits_flag());
}

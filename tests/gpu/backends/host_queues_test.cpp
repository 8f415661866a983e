// SPDX-License-Identifier: Apache-2.0
// The few hardware queues of a device, as the emulation plays them.
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;

namespace {

/// A seeded device of two queues, with streams and two flags.
struct FewQueues {
  explicit FewQueues(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) streams.push_back(driver->make_stream(0));
  }
  ~FewQueues() {
    for (std::uint32_t& flag : flags) raise(flag);
    step();
    for (NativeStream stream : streams) driver->destroy(stream);
    driver->destroy_event(event);
    driver->destroy_event(end);
  }
  static void raise(std::uint32_t& flag) { std::atomic_ref<std::uint32_t>(flag).store(1, std::memory_order_release); }
  void wait(std::size_t stream, std::size_t flag) { driver->wait_flag(&flags[flag], 1, streams[stream]); }
  void follow(std::size_t stream, std::size_t other) {
    driver->record(event, streams[other]);
    driver->wait(streams[stream], event);
  }
  void step() {
    for (int i = 0; i < 1000; ++i) driver->advance();
  }
  /// Whether a stream gets through with a piece of work.
  bool goes_on(std::size_t stream) {
    driver->fill(&cell, 1, sizeof cell, streams[stream]);
    driver->record(end, streams[stream]);
    step();
    return driver->is_reached(end);
  }

  std::vector<std::uint32_t> flags = std::vector<std::uint32_t>(2);
  int cell = 0;
  std::unique_ptr<Driver> driver = make_host_driver({.seed = 5, .queues = 2});
  std::vector<NativeStream> streams;
  NativeEvent event = driver->make_event(0);
  NativeEvent end = driver->make_event(0);
};

}  // namespace

TEST_CASE("a device goes on while fewer streams than it has queues wait for flags", "[gpu][host]") {
  FewQueues device(2);
  device.wait(0, 0);
  device.step();
  CHECK(device.goes_on(1));
}

TEST_CASE("a device stands still while as many streams as it has queues wait for flags", "[gpu][host]") {
  FewQueues device(3);
  device.wait(0, 0);
  device.wait(1, 1);
  device.step();
  CHECK_FALSE(device.goes_on(2));
  FewQueues::raise(device.flags[1]);
  device.step();
  CHECK(device.driver->is_reached(device.end));
}

TEST_CASE("a stream behind one that waits for a flag takes a queue, too", "[gpu][host]") {
  FewQueues device(3);
  device.wait(0, 0);
  device.follow(1, 0);
  device.step();
  CHECK_FALSE(device.goes_on(2));
  FewQueues::raise(device.flags[0]);
  device.step();
  CHECK(device.driver->is_reached(device.end));
}

TEST_CASE("work for a stream that was destroyed is refused", "[gpu][host]") {
  const std::unique_ptr<Driver> driver = make_host_driver({.seed = 5});
  const NativeStream stream = driver->make_stream(0);
  driver->destroy(stream);
  int cell = 0;
  CHECK_THROWS_AS(driver->fill(&cell, 1, sizeof cell, stream), GpuError);
}

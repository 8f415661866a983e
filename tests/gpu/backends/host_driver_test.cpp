// SPDX-License-Identifier: Apache-2.0
// What only the emulation promises: it makes missing waits visible, and the same way again.
#include <algorithm>
#include <thread>

#include "kaon/gpu/backends/error.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr int kPoisoned = static_cast<int>(0xDBDBDBDB);

/// Copies device memory that a stream is still to write, without a wait: what a wrong program reads.
int read_without_wait(std::uint64_t seed) {
  const auto driver = make_host_driver({.seed = seed});
  const TestMemory<int> memory(*driver, 1), result(*driver, 1);
  const std::vector<int> fresh{1};
  const TestStream writer(*driver), reader(*driver);
  driver->fill(memory.get(), 0xFF, sizeof(int), writer);  // -1: old data
  settle(*driver, writer);
  driver->copy(memory.get(), fresh.data(), sizeof(int), writer);
  driver->copy(result.get(), memory.get(), sizeof(int), reader);
  settle(*driver, reader);
  return result.read()[0];
}

/// The order in which three streams call, as the seed has it.
std::vector<int> order_of_calls(std::uint64_t seed) {
  struct Note {
    std::vector<int>* order;
    int stream;
  };
  const auto driver = make_host_driver({.seed = seed});
  std::vector<int> order;
  std::vector<Note> notes;
  for (int stream = 0; stream < 3; ++stream) notes.push_back({&order, stream});
  std::vector<std::unique_ptr<TestStream>> streams;
  for (Note& note : notes) {
    const TestStream& stream = *streams.emplace_back(std::make_unique<TestStream>(*driver));
    for (int i = 0; i < 5; ++i) {
      driver->call([](void* of) { static_cast<Note*>(of)->order->push_back(static_cast<Note*>(of)->stream); }, &note,
                   stream);
    }
  }
  for (const auto& stream : streams) settle(*driver, *stream);
  return order;
}

}  // namespace

TEST_CASE("some seed shows a missing wait, and shows it again", "[gpu][host]") {
  std::vector<int> seen;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    seen.push_back(read_without_wait(seed));
    CHECK(read_without_wait(seed) == seen.back());
  }
  CHECK(std::count(seen.begin(), seen.end(), -1) > 0);
  CHECK(std::count(seen.begin(), seen.end(), 1) > 0);
}

TEST_CASE("a seed fixes the order of all streams; others give other orders", "[gpu][host]") {
  const std::vector<int> first = order_of_calls(1);
  CHECK(first.size() == 15);
  CHECK(order_of_calls(1) == first);
  bool differs = false;
  for (std::uint64_t seed = 2; seed <= 5; ++seed) differs |= order_of_calls(seed) != first;
  CHECK(differs);
}

TEST_CASE("with a seed nothing happens but in advance, and not every time", "[gpu][host]") {
  const auto driver = make_host_driver({.seed = 3});
  int calls = 0;
  NativeStream stream = driver->make_stream(0);
  for (int i = 0; i < 100; ++i) driver->call([](void* count) { ++*static_cast<int*>(count); }, &calls, stream);
  CHECK(calls == 0);
  int rests = 0;
  while (calls < 100) {
    const int before = calls;
    const bool advanced = driver->advance();
    REQUIRE(calls == before + (advanced ? 1 : 0));
    rests += advanced ? 0 : 1;
  }
  CHECK(rests > 0);
  CHECK_FALSE(driver->advance());
  driver->destroy(stream);
}

TEST_CASE("with a seed a stream that waits is passed over", "[gpu][host]") {
  const auto driver = make_host_driver({.seed = 5});
  int calls = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  const TestEvent event(*driver);
  const TestStream first(*driver), second(*driver);
  driver->call(count, &calls, first);
  driver->record(event, first);
  driver->wait(second, event);
  driver->call(count, &calls, second);
  while (!driver->is_reached(event)) {
    driver->advance();
    REQUIRE(calls <= 1);  // the second stream has not called
  }
  settle(*driver, second);
  CHECK(calls == 2);
}

TEST_CASE("poison comes in the order of its stream, unless it is turned off", "[gpu][host]") {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto driver = make_host_driver({.seed = seed});
    const TestMemory<int> memory(*driver, 2), kept(*driver, 2);
    const TestStream stream(*driver);
    const std::vector<int> values{1, 2};
    driver->copy(memory.get(), values.data(), memory.bytes(), stream);
    driver->copy(kept.get(), memory.get(), memory.bytes(), stream);
    driver->poison(memory.get(), memory.bytes(), stream);
    settle(*driver, stream);
    CHECK(kept.read() == values);
    CHECK(memory.read() == std::vector<int>{kPoisoned, kPoisoned});
  }
  const auto driver = make_host_driver({.poison = false});
  TestMemory<int> memory(*driver, 1);
  memory.write({4});
  const TestStream stream(*driver);
  driver->poison(memory.get(), memory.bytes(), stream);
  settle(*driver, stream);
  CHECK(memory.read() == std::vector<int>{4});
}

TEST_CASE("each device has its budget, which comes back when memory is freed", "[gpu][host]") {
  const auto driver = make_host_driver({.devices = 2, .memory_bytes = 1000});
  void* const first = driver->allocate(0, 600);
  CHECK(first != nullptr);
  CHECK(driver->allocate(0, 401) == nullptr);
  void* const other = driver->allocate(1, 1000);
  CHECK(other != nullptr);
  driver->free(0, first);
  CHECK(driver->classify(first).location == Location::host);
  void* const again = driver->allocate(0, 1000);
  CHECK(again != nullptr);
  // `other` and `again` are left to the driver, which knows what was never freed.
}

TEST_CASE("memory past an allocation's end is not its own", "[gpu][host]") {
  const auto driver = make_host_driver({});
  auto* const memory = static_cast<std::byte*>(driver->allocate(0, 100));
  CHECK(driver->classify(memory + 99).base == memory);
  CHECK(driver->classify(memory + 100).base == nullptr);
  driver->free(0, memory);
}

TEST_CASE("threads may make, use and destroy streams at once", "[gpu][host]") {
  const auto driver = make_host_driver({});
  const auto work = [&driver] {
    for (int round = 0; round < 20; ++round) {
      TestMemory<int> memory(*driver, 100);
      memory.write(std::vector<int>(100, round));
      if (memory.read() != std::vector<int>(100, round)) return false;
      if (driver->classify(memory.get()).base != memory.get()) return false;
    }
    return true;
  };
  bool good = false;
  std::jthread other([&] { good = work(); });
  CHECK(work());
  other.join();
  CHECK(good);
}

TEST_CASE("an emulation that ends finishes what it was given", "[gpu][host]") {
  for (const std::uint64_t seed : {0, 1}) {
    int calls = 0;
    {
      const auto driver = make_host_driver({.seed = seed});
      NativeStream stream = driver->make_stream(0);
      for (int i = 0; i < 10; ++i) driver->call([](void* count) { ++*static_cast<int*>(count); }, &calls, stream);
    }
    CHECK(calls == 10);
  }
}

TEST_CASE("a device that the emulation does not have is refused with how to get it", "[gpu][host]") {
  const auto driver = make_host_driver({.devices = 2});
  driver->use(1);
  REQUIRE_THROWS_AS(driver->use(2), GpuError);
  REQUIRE_THROWS_AS(driver->make_stream(-1), GpuError);
  try {
    driver->allocate(2, 1);
    FAIL("device 2 was not refused");
  } catch (const GpuError& error) {
    CHECK(std::string(error.what()).find("devices=N") != std::string::npos);
  }
}

TEST_CASE("with free=waits memory goes back behind all that streams of its device were given", "[gpu][host]") {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    CAPTURE(seed);
    const auto driver = make_host_driver({.devices = 2, .seed = seed, .delay_us = 200, .free_waits_s = 60});
    int calls = 0;
    const auto count = [](void* of) { ++*static_cast<int*>(of); };
    const TestStream one(*driver), other(*driver);
    void* const device = driver->allocate(0, 64);
    void* const elsewhere = driver->allocate(1, 64);
    void* const pinned = driver->allocate_pinned(64);
    driver->call(count, &calls, one);
    driver->call(count, &calls, other);
    driver->free(0, device);
    CHECK(calls == 2);
    driver->call(count, &calls, one);
    driver->free_pinned(pinned);
    CHECK(calls == 3);
    driver->free(1, elsewhere);  // whose streams have nothing to do
  }
}

TEST_CASE("with free=waits what does not end is a fault instead of a hang", "[gpu][host]") {
  for (const std::uint64_t seed : {0, 1}) {
    const auto driver = make_host_driver({.seed = seed, .free_waits_s = 0.05});
    std::uint32_t flag = 0;
    void* const memory = driver->allocate(0, 64);
    const NativeStream stream = driver->make_stream(0);
    const TestEvent event(*driver);
    driver->wait_flag(&flag, 1, stream);
    driver->record(event, stream);
    driver->free(0, memory);
    std::string text;
    try {
      driver->is_reached(event);
    } catch (const GpuError& error) {
      text = error.what();
    }
    CHECK(text.find("memory was given back to the driver, or copies were prepared or destroyed, while a device was at "
                    "work on something that did not end") != std::string::npos);
    driver->destroy(stream);
  }
}

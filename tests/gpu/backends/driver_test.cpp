// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/driver.hpp"

#include <atomic>
#include <numeric>
#include <set>

#include "kaon/gpu/backends/api.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST_CASE("every back end has a device with a name and memory", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    REQUIRE(driver.devices() >= 1);
    CHECK(is_built(driver.backend()));
    const DeviceDescription device = driver.describe(0);
    CHECK_FALSE(device.name.empty());
    CHECK(device.memory_bytes > 0);
    CHECK(device.processors > 0);
  });
}

TEST_CASE("what a stream is given happens in order", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    constexpr int kSteps = 50;
    const TestMemory<char> memory(driver, kSteps);
    const TestStream stream(driver);
    // Each step overwrites the tail that the one before wrote.
    for (int step = 0; step < kSteps; ++step) driver.fill(memory.get() + step, step, kSteps - step, stream);
    settle(driver, stream);
    std::vector<char> expected(kSteps);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(memory.read() == expected);
  });
}

TEST_CASE("bytes go from the host through two devices' memory and back", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const std::vector<int> sent = counted(10'000);
    std::vector<int> received(sent.size());
    const std::size_t bytes = sent.size() * sizeof(int);
    const int last = driver.devices() - 1;
    void* const far = driver.allocate(last, bytes);
    REQUIRE(far != nullptr);
    {
      const TestMemory<int> near(driver, sent.size());
      const TestMemory<int> pinned(driver, sent.size(), TestMemory<int>::Kind::pinned);
      const TestStream stream(driver);
      driver.copy(pinned.get(), sent.data(), bytes, stream);
      driver.copy(near.get(), pinned.get(), bytes, stream);
      driver.copy(far, near.get(), bytes, stream);
      driver.copy(received.data(), far, bytes, stream);
      settle(driver, stream);
    }
    driver.free(last, far);
    CHECK(received == sent);
  });
}

TEST_CASE("a copy or fill of nothing does nothing", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestStream stream(driver);
    driver.copy(nullptr, nullptr, 0, stream);
    driver.fill(nullptr, 0, 0, stream);
    settle(driver, stream);
    SUCCEED();
  });
}

TEST_CASE("a stream that waits for an event sees what came before it", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    constexpr std::size_t kCount = 1000;
    const TestMemory<int> first(driver, kCount), second(driver, kCount);
    for (int round = 0; round < 10; ++round) {
      const TestEvent written(driver), read(driver);
      const TestStream writer(driver), reader(driver);
      const std::vector<int> sent(kCount, round);
      driver.copy(first.get(), sent.data(), first.bytes(), writer);
      driver.record(written, writer);
      driver.wait(reader, written);
      driver.copy(second.get(), first.get(), first.bytes(), reader);
      driver.record(read, reader);
      driver.wait(writer, read);
      driver.fill(first.get(), 0xFF, first.bytes(), writer);
      settle(driver, writer);
      REQUIRE(second.read() == sent);
    }
  });
}

TEST_CASE("an event that was never recorded is reached and holds nothing up", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestEvent event(driver);
    CHECK(driver.is_reached(event));
    const TestStream stream(driver);
    driver.wait(stream, event);
    settle(driver, stream);
    SUCCEED();
  });
}

TEST_CASE("a wait is for the record before it, also when the event is recorded anew or destroyed", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestMemory<int> memory(driver, 1), result(driver, 1);
    const std::vector<int> one{1}, two{2};
    const TestStream writer(driver), reader(driver);
    NativeEvent event = driver.make_event(0);
    driver.copy(memory.get(), one.data(), sizeof(int), writer);
    driver.record(event, writer);
    driver.wait(reader, event);
    driver.record(event, reader);  // behind the wait: were the wait for this one, it would never end
    driver.destroy_event(event);
    driver.copy(result.get(), memory.get(), sizeof(int), reader);
    settle(driver, reader);
    CHECK(result.read() == one);
  });
}

TEST_CASE("a stream calls the host where the call stands", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    struct Seen {
      int* source;
      std::atomic<int> value{0};
    };
    const TestMemory<int> pinned(driver, 1, TestMemory<int>::Kind::pinned);
    const TestStream stream(driver);
    const std::vector<int> before{7}, after{8};
    Seen seen{pinned.get()};
    driver.copy(pinned.get(), before.data(), sizeof(int), stream);
    driver.call([](void* argument) { static_cast<Seen*>(argument)->value = *static_cast<Seen*>(argument)->source; },
                &seen, stream);
    driver.copy(pinned.get(), after.data(), sizeof(int), stream);
    settle(driver, stream);
    CHECK(seen.value == 7);
    CHECK(*pinned.get() == 8);
  });
}

TEST_CASE("a destroyed stream still does what it was given", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestMemory<int> memory(driver, 1);
    const TestEvent event(driver);
    const std::vector<int> sent{3};
    NativeStream stream = driver.make_stream(0);
    driver.copy(memory.get(), sent.data(), sizeof(int), stream);
    driver.record(event, stream);
    driver.destroy(stream);
    settle_event(driver, event);
    CHECK(memory.read() == sent);
  });
}

TEST_CASE("a pointer is known by where its memory lies", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestMemory<int> device(driver, 1000);
    const TestMemory<int> pinned(driver, 1000, TestMemory<int>::Kind::pinned);
    const int last = driver.devices() - 1;
    void* const far = driver.allocate(last, 64);
    int local = 0;
    const std::vector<int> heap(10);

    const Classification inside = driver.classify(device.get() + 999);
    CHECK(inside.location == Location::device);
    CHECK(inside.device == 0);
    CHECK(inside.base == device.get());
    CHECK(inside.bytes >= device.bytes());
    CHECK(driver.classify(far).device == last);
    const Classification locked = driver.classify(pinned.get() + 1);
    CHECK(locked.location == Location::pinned);
    CHECK(locked.device == -1);
    CHECK(locked.base == pinned.get());
    CHECK(driver.classify(&local).location == Location::host);
    CHECK(driver.classify(&local).base == nullptr);
    CHECK(driver.classify(heap.data()).location == Location::host);
    CHECK(driver.classify(nullptr).location == Location::host);
    driver.free(last, far);
  });
}

TEST_CASE("an allocation has a number that no other ever has", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const TestMemory<int> device(driver, 1000);
    const TestMemory<int> pinned(driver, 1000, TestMemory<int>::Kind::pinned);
    int local = 0;
    const std::vector<int> heap(10);
    std::set<std::uint64_t> numbers{0, driver.allocation_at(device.get()), driver.allocation_at(pinned.get())};
    CHECK(numbers.size() == 3);
    CHECK(driver.allocation_at(device.get() + 999) == driver.allocation_at(device.get()));
    CHECK(driver.allocation_at(&local) == 0);
    CHECK(driver.allocation_at(heap.data()) == 0);
    CHECK(driver.allocation_at(nullptr) == 0);
    for (int round = 0; round < 10; ++round) {
      void* const memory = driver.allocate(0, 4096);
      CHECK(numbers.insert(driver.allocation_at(memory)).second);
      driver.free(0, memory);
    }
  });
}

TEST_CASE("more memory than there is gives nullptr, and what is left can still be had", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    const std::size_t all = driver.describe(0).memory_bytes;
    CHECK(driver.allocate(0, 2 * all) == nullptr);
    void* const some = driver.allocate(0, 1 << 20);
    CHECK(some != nullptr);
    driver.free(0, some);
    driver.free(0, nullptr);
  });
}

TEST_CASE("a device reaches itself, and its peers by word of the back end", "[gpu]") {
  on_each_back_end([](Driver& driver) {
    CHECK(driver.enable_peer(0, 0));
    for (int peer = 1; peer < driver.devices(); ++peer) {
      const bool reaches = driver.enable_peer(0, peer);
      CHECK(driver.enable_peer(0, peer) == reaches);  // a second time is no fault
    }
  });
}

TEST_CASE("a vendor that is not there is explained", "[gpu]") {
  std::string why;
  const std::unique_ptr<Driver> driver = make_vendor_driver(why);
  INFO(why);
  CHECK((driver == nullptr) == !why.empty());
  if (driver != nullptr) CHECK(driver->backend() == kVendor);
}

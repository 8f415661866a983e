// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"

namespace kaon::gpu::test {

/// A back end that the device suite runs on.
struct Subject {
  std::string name;
  std::unique_ptr<Driver> driver;
};

/// Runs `check` on every back end: the emulation with threads, with threads and delays, and with several seeds; or,
/// when KAON_TEST_DEVICE is cuda or hip, on that one, which must be there. Says which ran.
void on_each_back_end(const std::function<void(Driver&)>& check);

/// Waits for what was given to `stream`.
void settle(Driver& driver, NativeStream stream);
void settle_event(Driver& driver, NativeEvent event);

/// A stream on device 0 for the time of a test; its work is complete at the end.
class TestStream {
 public:
  explicit TestStream(Driver& driver) : driver_(driver), native_(driver.make_stream(0)) {}
  ~TestStream() {
    settle(driver_, native_);
    driver_.destroy(native_);
  }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  operator NativeStream() const { return native_; }

 private:
  Driver& driver_;
  NativeStream native_;
};

class TestEvent {
 public:
  explicit TestEvent(Driver& driver) : driver_(driver), native_(driver.make_event(0)) {}
  ~TestEvent() { driver_.destroy_event(native_); }
  TestEvent(const TestEvent&) = delete;
  TestEvent& operator=(const TestEvent&) = delete;
  operator NativeEvent() const { return native_; }

 private:
  Driver& driver_;
  NativeEvent native_;
};

/// `count` numbers in memory of device 0, or pinned. Declare it before the streams that use it.
template <class Value>
class TestMemory {
 public:
  enum class Kind { device, pinned };
  TestMemory(Driver& driver, std::size_t count, Kind kind = Kind::device)
      : driver_(driver),
        kind_(kind),
        count_(count),
        memory_(kind == Kind::device ? driver.allocate(0, bytes()) : driver.allocate_pinned(bytes())) {
    if (memory_ == nullptr) throw std::bad_alloc();
  }
  ~TestMemory() {
    if (kind_ == Kind::device) {
      driver_.free(0, memory_);
    } else {
      driver_.free_pinned(memory_);
    }
  }
  TestMemory(const TestMemory&) = delete;
  TestMemory& operator=(const TestMemory&) = delete;

  Value* get() const { return static_cast<Value*>(memory_); }
  std::size_t bytes() const { return count_ * sizeof(Value); }

  /// Waits; the tests' own memory is what it copies to and from.
  void write(const std::vector<Value>& values) {
    TestStream stream(driver_);
    driver_.copy(memory_, values.data(), bytes(), stream);
    settle(driver_, stream);
  }
  std::vector<Value> read() const {
    std::vector<Value> values(count_);
    TestStream stream(driver_);
    driver_.copy(values.data(), memory_, bytes(), stream);
    settle(driver_, stream);
    return values;
  }

 private:
  Driver& driver_;
  const Kind kind_;
  const std::size_t count_;
  void* const memory_;
};

}  // namespace kaon::gpu::test

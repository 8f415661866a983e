// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Objects of a device that the host has for itself.
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/lock.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::locks {

using Entries = gpu::Resident<ScalesEntries>;

gpu::ResidentOptions options_of(double idle_us = 1000, unsigned held = 64) {
  gpu::ResidentOptions options;
  options.workers = 3;
  options.warp_blocks = 1;
  options.threads = 96;
  options.ring = 8;
  options.held = held;
  options.idle_us = idle_us;
  return options;
}

/// An object of a device, and how the host looks at it.
template <class Scale>
class Weighed {
 public:
  explicit Weighed(const gpu::ResidentOptions& options) : entries_(options), seen_(1, stream_) {}
  Task<> make(std::uint32_t parts) {
    const gpu::DeviceFlag pause = co_await entries_.make_flag();
    pauses_.push_back(pause);
    Scale scale{};
    scale.pause = pause.word();
    object_ = co_await entries_.make_gang(parts, scale);
  }
  Task<Scale> read() {
    stream_.copy(seen_, gpu::Span<const Scale>(object_.object, 1));
    co_await stream_.drained();
    co_return seen_[0];
  }
  Task<> write(Scale scale) {
    seen_[0] = scale;
    stream_.copy(gpu::Span<Scale>(object_.object, 1), seen_);
    co_await stream_.drained();
  }
  Entries& entries() { return entries_; }
  const gpu::DeviceFlag& pause() const { return pauses_.front(); }
  auto lock() { return entries_.lock(object_); }
  template <class Entry>
  void send(const Entry& entry) {
    entries_.send(object_, entry);
  }

 private:
  Entries entries_;
  gpu::Stream stream_;
  gpu::Pinned<Scale> seen_;
  std::vector<gpu::DeviceFlag> pauses_;
  gpu::DeviceObject<Scale> object_;
};

template <class Scale>
class Host : public Chare<Host<Scale>> {
 public:
  /// Entries and two tasks of the host add to numbers; nobody sees them in between, and nothing is lost.
  Task<bool> weigh(std::uint32_t parts, double idle_us) {
    constexpr std::uint32_t kSteps = 40, kTimes = 6;
    Weighed<Scale> weighed(options_of(idle_us));
    co_await weighed.make(parts);
    weighed.send(Weigh<Scale>{kSteps});
    const auto [one, other] = co_await all(add(weighed, parts, kTimes), add(weighed, parts, kTimes));
    Scale scale{};
    while (scale.left[0] < kSteps + 2 * kTimes * 1000) {  // its own tasks may come behind a lock
      const gpu::ObjectLock lock = co_await weighed.lock();
      scale = co_await weighed.read();
    }
    co_return one&& other&& are_equal(scale, parts) && scale.unequal[0] == 0;
  }
  /// What is sent while the host has the lock comes afterwards, in its order, and what was sent before is done.
  Task<bool> keep_order() {
    Weighed<Scale> weighed(options_of());
    co_await weighed.make(1);
    for (std::uint32_t i = 0; i < 5; ++i) weighed.send(Note16<Scale>{i});
    bool is_right = true;
    {
      gpu::ObjectLock lock = co_await weighed.lock();
      for (std::uint32_t i = 5; i < 12; ++i) weighed.send(Note16<Scale>{i});
      const Scale before = co_await weighed.read();
      is_right &= before.count == 5 && lock.is_locked();
      const Scale later = co_await weighed.read();
      is_right &= later.count == 5;
      lock.unlock();
      is_right &= !lock.is_locked();
    }
    const gpu::ObjectLock lock = co_await weighed.lock();
    const Scale after = co_await weighed.read();
    std::vector<std::uint32_t> expected(12);
    std::iota(expected.begin(), expected.end(), 0U);
    co_return is_right&& after.count == 12 && std::equal(expected.begin(), expected.end(), after.notes);
  }
  /// What is urgent goes before those that waited for the lock, when the first of them has sent it.
  Task<bool> let_urgent_pass() {
    Weighed<Scale> weighed(options_of());
    co_await weighed.make(1);
    const auto other = co_await weighed.entries().make_on(0, Scale{});
    gpu::ObjectLock lock = co_await weighed.lock();
    weighed.send(LetNote<Scale>{other, 9});
    for (std::uint32_t i = 0; i < 3; ++i) weighed.send(Note16<Scale>{i});
    co_await weighed.entries().call(other, Note16<Scale>{0});  // all of them have come
    lock.unlock();
    const gpu::ObjectLock next = co_await weighed.lock();
    const Scale scale = co_await weighed.read();
    co_return scale.count == 4 && scale.notes[0] == 9;
  }
  /// A task that waits for a flag does not run when that is raised while the host has the lock.
  Task<bool> hold_awaiting() {
    Weighed<Scale> weighed(options_of());
    co_await weighed.make(1);
    weighed.send(NoteWhen<Scale>{7});
    gpu::ObjectLock lock = co_await weighed.lock();
    weighed.entries().raise(weighed.pause());
    const auto other = co_await weighed.entries().make(Scale{});
    bool is_right = true;
    for (int i = 0; i < 5; ++i) {
      const gpu::ObjectLock of_other = co_await weighed.entries().lock(other);  // the flag is raised by now
      const Scale scale = co_await weighed.read();
      is_right &= scale.count == 0;
    }
    lock.unlock();
    Scale scale{};
    while (scale.count == 0) {
      const gpu::ObjectLock next = co_await weighed.lock();
      scale = co_await weighed.read();
    }
    co_return is_right&& scale.notes[0] == 7;
  }
  /// Who gives up waiting for the lock leaves the object to those behind.
  Task<bool> give_up() {
    Weighed<Scale> weighed(options_of());
    co_await weighed.make(1);
    bool is_right = true;
    for (int i = 0; i < 5; ++i) {
      gpu::ObjectLock lock = co_await weighed.lock();
      weighed.send(Note16<Scale>{1});
      (void)co_await any(take_and_keep(weighed), pass_by(weighed));  // it waits for the lock above
      weighed.send(Note16<Scale>{2});
      lock.unlock();
      const gpu::ObjectLock next = co_await weighed.lock();
      const Scale scale = co_await weighed.read();
      is_right &= scale.count == 2U * static_cast<std::uint32_t>(i + 1);
    }
    co_return is_right;
  }
  /// What waits behind a lock is done when that ends, also when nobody has the scheduler any more.
  Task<> outlive() {
    auto weighed = std::make_unique<Weighed<Scale>>(options_of());
    co_await weighed->make(1);
    const gpu::ObjectLock lock = co_await weighed->lock();
    for (std::uint32_t i = 0; i < 20; ++i) weighed->send(Note16<Scale>{i});
    weighed.reset();
  }
  /// More than a worker can keep.
  Task<> overfill() {
    Weighed<Scale> weighed(options_of(1000, 8));
    co_await weighed.make(1);
    const gpu::ObjectLock lock = co_await weighed.lock();
    for (std::uint32_t i = 0; i < 20; ++i) weighed.send(Note16<Scale>{i});
    const auto other = co_await weighed.entries().make(Scale{});
    for (;;) (void)co_await weighed.entries().lock(other);
  }

 private:
  static bool are_equal(const Scale& scale, std::uint32_t parts) {
    for (std::uint32_t part = 0; part < parts; ++part)
      if (scale.left[part] != scale.right[part] || scale.unequal[part] != 0) return false;
    return true;
  }
  static Task<bool> add(Weighed<Scale>& weighed, std::uint32_t parts, std::uint32_t times) {
    bool are_right = true;
    for (std::uint32_t i = 0; i < times; ++i) {
      const gpu::ObjectLock lock = co_await weighed.lock();
      Scale scale = co_await weighed.read();
      are_right &= are_equal(scale, parts);
      for (std::uint32_t part = 0; part < parts; ++part) scale.left[part] += 1000, scale.right[part] += 1000;
      co_await weighed.write(scale);
    }
    co_return are_right;
  }
  static Task<int> take_and_keep(Weighed<Scale>& weighed) {
    const gpu::ObjectLock lock = co_await weighed.lock();
    co_return 1;
  }
  static Task<int> pass_by(Weighed<Scale>& weighed) {
    (void)co_await weighed.read();
    co_return 2;
  }
};

template <class Scale>
Task<> check(Runtime& runtime) {
  using Own = Host<Scale>;
  const auto hosts = co_await runtime.create<Own>(1);
  const auto host = hosts[0];
  for (const std::uint32_t parts : {1U, 3U}) {
    CHECK_AWAITED(host.template call<&Own::weigh>(parts, 1000.0), true);
    CHECK_AWAITED(host.template call<&Own::weigh>(parts, 0.0), true);
  }
  CHECK_AWAITED(host.template call<&Own::keep_order>(), true);
  CHECK_AWAITED(host.template call<&Own::let_urgent_pass>(), true);
  CHECK_AWAITED(host.template call<&Own::hold_awaiting>(), true);
  CHECK_AWAITED(host.template call<&Own::give_up>(), true);
  co_await host.template call<&Own::outlive>();
  co_await runtime.quiescence();
}

template <class Scale>
std::string fault_of_overfilling() {
  return fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host<Scale>>(1);
    co_await hosts[0].template call<&Host<Scale>::overfill>();
  });
}

}  // namespace kaon::testing::locks

namespace kaon::testing {

TEST_CASE("the host has an object of a block or a gang for itself", "[device][resident][lock]") {
  run_on_devices(locks::check<BlockScales>);
}

TEST_CASE("the host has an object of a warp for itself", "[device][resident][lock]") {
  run_on_devices(locks::check<WarpScales>);
}

TEST_CASE("more tasks for a locked object than a worker keeps are an error", "[device][resident][lock][bad input]") {
  for (const std::string& text :
       {locks::fault_of_overfilling<BlockScales>(), locks::fault_of_overfilling<WarpScales>()}) {
    CAPTURE(text);
    CHECK(has(text, "has 8 tasks for objects that the host has locked, and kaon::testing::Note16"));
    CHECK(has(text, "is one more: unlock sooner"));
  }
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Entries that run on a device.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::resident_cells {

class Host : public Chare<Host> {
 public:
  /// In the order in which they were sent; results come back.
  Task<bool> call() {
    Cells cells(options_of(2));
    const Object cell = co_await cells.make(Cell{100, {}, {}, nullptr});
    cells.send(cell, Add{1});
    cells.send(cell, Add{2});
    const std::uint64_t third = co_await cells.call(cell, Add{3});
    const std::uint64_t fourth = co_await cells.call(cell, Add{4});
    co_return third == 106 && fourth == 110;
  }
  /// From object to object on the device, and to the host at last.
  Task<std::uint64_t> hop(std::uint32_t count, std::uint32_t hops) {
    Cells cells(options_of(3));
    const auto told = cells.on_host<std::uint32_t, std::uint64_t>([&](std::uint32_t seven, std::uint64_t total) {
      if (seven == 7) self().send<&Host::sum>(total);
    });
    std::vector<Object> ring;
    for (std::uint32_t i = 0; i < count; ++i) ring.push_back(co_await cells.make(Cell{}));
    for (std::uint32_t i = 0; i < count; ++i) cells.send(ring[i], Join{ring[(i + 1) % count], told});
    co_await cells.call(ring[0], Add{0});
    for (std::uint32_t i = 1; i < count; ++i) co_await cells.call(ring[i], Add{0});
    cells.send(ring[0], Hop{hops - 1, 0});
    co_return co_await sum.next();
  }
  /// Many tasks at once, for rings of few places, and notices in their order.
  Task<bool> flood(std::uint32_t count) {
    Cells cells(options_of(2, 4));
    std::vector<std::uint32_t> heard;
    const auto told =
        cells.on_host<std::uint32_t, std::uint64_t>([&](std::uint32_t i, std::uint64_t) { heard.push_back(i); });
    const Object cell = co_await cells.make(Cell{});
    cells.send(cell, Join{{}, told});
    for (std::uint32_t i = 0; i < count; ++i) cells.send(cell, Add{1});
    const bool has_waited = cells.waiting() > 0;
    const std::uint64_t value = co_await cells.call(cell, Add{0});
    co_await cells.call(cell, Report{count});
    std::vector<std::uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    co_return has_waited&& value == count&& heard == expected;
  }
  /// Who waits until rings have room keeps few tasks on the host.
  Task<bool> send_when_ready(std::uint32_t count) {
    Cells cells(options_of(2, 4));
    const Object cell = co_await cells.make(Cell{});
    std::size_t most = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      co_await cells.ready();
      cells.send(cell, Add{1});
      most = std::max(most, cells.waiting());
    }
    const std::uint64_t value = co_await cells.call(cell, Add{0});
    co_return most == 1 && value == count;
  }
  /// Two cells in turns, whose entries make more than rings hold.
  Task<> grow(std::uint32_t depth, unsigned held) {
    cells_.emplace(options_of(2, 4, held));
    one_ = co_await cells_->make(Cell{});
    other_ = co_await cells_->make(Cell{});
    cells_->send(one_, Join{other_, {}});
    cells_->send(other_, Join{one_, {}});
    co_await cells_->call(other_, Add{0});
    cells_->send(one_, Grow{depth});
  }
  /// Makes one that parks at once.
  Task<> begin_parking() {
    gpu::ResidentOptions options = options_of(2);
    options.idle_us = 0;
    cells_.emplace(options);
    one_ = other_ = co_await cells_->make(Cell{});
  }
  void add(std::uint64_t amount) { cells_->send(one_, Add{amount}); }
  Task<std::uint64_t> total() {
    const std::uint64_t first = co_await cells_->call(one_, Add{0});
    co_return first + co_await cells_->call(other_, Add{0});
  }
  std::string refuse(unsigned workers, unsigned ring, unsigned held) {
    return thrown<UsageError>([&] { Cells(options_of(workers, ring, held)); });
  }
  Inbox<std::uint64_t> sum;

 private:
  std::optional<Cells> cells_;
  Object one_, other_;
};

}  // namespace kaon::testing::resident_cells

namespace kaon::testing {
namespace {

using resident_cells::Host;

/// Of each PE one, one after the other.
template <auto kEntry, class Value, class... Arguments>
Task<> check_each(Runtime& runtime, Value expected, Arguments... arguments) {
  const int count = static_cast<int>(runtime.pes());
  const auto hosts = co_await runtime.create<Host>(count);
  for (int i = 0; i < count; ++i) CHECK_AWAITED(hosts[i].template call<kEntry>(arguments...), expected);
}

}  // namespace

TEST_CASE("entries of a device are called from the host", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&Host::call>(runtime, true); });
}

TEST_CASE("entries of a device send to each other, and tell the host", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    co_await check_each<&Host::hop>(runtime, std::uint64_t{1 + 1 + 1 + 2 + 2 + 2 + 3}, 3U, 7U);
    co_await check_each<&Host::hop>(runtime, std::uint64_t{5050}, 1U, 100U);
  });
}

TEST_CASE("more tasks and notices than rings hold keep their order", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&Host::flood>(runtime, true, 100U); });
}

TEST_CASE("who sends more than a device takes can wait for it", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> { co_await check_each<&Host::send_when_ready>(runtime, true, 200U); });
}

TEST_CASE("quiescence knows of what a device does", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(static_cast<int>(runtime.pes()));
    for (std::uint32_t i = 0; i < runtime.pes(); ++i) hosts[i].send<&Host::grow>(6U, 200U);
    co_await runtime.quiescence();
    for (std::uint32_t i = 0; i < runtime.pes(); ++i)
      CHECK_AWAITED(hosts[i].call<&Host::total>(), (std::uint64_t{1} << 7) - 1);
  });
}

TEST_CASE("a resident kernel that has parked comes back", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin_parking>();
    for (std::uint64_t i = 1; i <= 20; ++i) {
      hosts[0].send<&Host::add>(i);
      co_await runtime.quiescence();
    }
    CHECK_AWAITED(hosts[0].call<&Host::total>(), 2 * 210);
  });
}

TEST_CASE("more tasks than a device can hold are an error", "[device][resident][bad input]") {
  const std::string text = fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    hosts[0].send<&Host::grow>(12U, 8U);
    co_await runtime.quiescence();
  });
  CHECK(has(text, "sent 8 times, kaon::testing::Grow at last, while the rings of those it sent to were full"));
}

TEST_CASE("options of a resident scheduler that make no sense are refused", "[device][resident][bad input]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse>(0U, 4U, 64U), contains_text("at least one worker"));
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse>(1U, 5U, 64U), contains_text("power of two"));
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse>(1U, 4U, 0U), contains_text("at least one task"));
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse>(33U, 4U, 64U),
                       contains_text("at most 32 of its entries run at once"));
  });
}

}  // namespace kaon::testing

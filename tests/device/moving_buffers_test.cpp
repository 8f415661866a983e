// SPDX-License-Identifier: Apache-2.0
// Chares that take what they have in the memory of devices along when they move, while payloads are on their way to
// them.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/carrier.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::moving_buffers {

const gpu::Grid kGrid{{64}, {256}};

Task<> carry(Runtime& runtime) {
  const bool is_right = co_await carry_all(runtime, 6);
  CHECK(is_right);
}

/// Goes to and fro with nothing but a buffer.
class Box : public Chare<Box> {
 public:
  Box() = default;
  explicit Box(std::uint64_t size) : size_(size), values_(size, stream_) {
    stream_.launch(kGrid, WritePattern{values_.data(), values_.size(), 3});
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(size_);
    values_.pup_on(archive, stream_);
  }
  void go(PeId to) { migrate_to(to); }
  Task<bool> is_whole() {
    if (values_.size() != size_) co_return false;
    Payload<int> values(std::move(values_), stream_);
    const bool is_so = co_await is_right(stream_, std::move(values), size_, 3);
    co_return is_so;
  }
  Task<> work(long rounds) {
    gpu::Buffer<double> cell(1, stream_);
    stream_.launch(gpu::Grid{{1}, {1}}, Dawdle{cell.data(), rounds});
    co_await stream_.drained();
    stream_.fill(cell.span(), 0);  // behind the event at the end of the first turn
    co_await stream_.drained();
  }
  PeId where() const { return pe(); }

 private:
  std::uint64_t size_ = 0;
  gpu::Stream stream_;
  gpu::Buffer<int> values_;
};

constexpr std::uint64_t kSize = 100'000;

TransferReport move_once(bool stages_all) {
  DeviceSceneSettings settings;
  settings.stages_all = stages_all;
  DeviceScene scene(settings);
  TransferReport report;
  scene.run([&report](Runtime& runtime) -> Task<> {
    const auto boxes = co_await runtime.create<Box>(2, kSize);
    boxes[0].send<&Box::go>(1);
    co_await runtime.quiescence();
    report = co_await runtime.transfers();
    const PeId where = co_await boxes[0].call<&Box::where>();
    CHECK(where == 1);
    const bool is_whole = co_await boxes[0].call<&Box::is_whole>();
    CHECK(is_whole);
  });
  return report;
}

/// Elements of which one keeps its device busy: it weighs more.
Task<> weigh(Runtime& runtime) {
  const auto boxes = co_await runtime.create<Box>(4, 1000u);
  LoadReport seen;
  const Strategy look = [&seen](const LoadReport& report) { return seen = report, report.places(); };
  co_await runtime.balance(boxes, look);
  co_await boxes[2].call<&Box::work>(100'000L);
  co_await boxes[0].call<&Box::is_whole>();
  co_await runtime.rebalance(boxes, look);
  REQUIRE(seen.elements.size() == 4);
  CHECK(seen.elements[2].device_seconds > 0);
  CHECK(seen.elements[2].seconds > seen.elements[2].device_seconds);
  CHECK(seen.elements[1].device_seconds == 0);
  CHECK(seen.elements[1].device_bytes == 4000);
  CHECK(seen.elements[0].device_bytes == 0);  // it has given its buffer away
  REQUIRE(seen.memory.size() == runtime.pes());
  for (const DeviceMemory& each : seen.memory) CHECK(each.room > 0);
  co_await runtime.rebalance(boxes, look);
  CHECK(seen.elements[2].device_seconds == 0);
}

/// All are to go to the device of PE 0, where there is room for some.
Task<> crowd(Runtime& runtime) {
  constexpr std::uint64_t kInts = std::uint64_t{1} << 18;
  const auto boxes = co_await runtime.create<Box>(20, kInts);
  const auto all_to_first = [](const LoadReport& report) { return std::vector<PeId>(report.elements.size(), 0); };
  const BalanceStep step = co_await runtime.rebalance(boxes, all_to_first);
  CHECK(step.too_large > 0);
  CHECK(step.moved > 0);
  CHECK(step.moved + step.too_large == 10);
  CHECK(step.text().find("stayed for want of device memory") != std::string::npos);
  for (int i = 0; i < 20; ++i) {
    const bool is_whole = co_await boxes[i].call<&Box::is_whole>();
    CHECK(is_whole);
  }
}

/// The same with gossip: PE 1 has the work, and PE 0 no room.
Task<> crowd_by_gossip(Runtime& runtime) {
  constexpr std::uint64_t kInts = std::uint64_t{1} << 18;
  const auto boxes = co_await runtime.create<Box>(28, kInts);
  co_await runtime.balance(boxes, strategies::gossip);
  for (int i = 14; i < 28; ++i) co_await boxes[i].call<&Box::work>(20'000L);
  const BalanceStep step = co_await runtime.rebalance(boxes, strategies::gossip);
  CHECK(step.moved <= 2);
  for (int i = 0; i < 28; ++i) {
    const bool is_whole = co_await boxes[i].call<&Box::is_whole>();
    CHECK(is_whole);
  }
}

DeviceSceneSettings with_memory(std::size_t mebibytes) {
  DeviceSceneSettings settings;
  settings.memory = mebibytes << 20;
  return settings;
}

TEST_CASE("chares take buffers and payloads along, and what is sent to them reaches them once", "[device][moved]") {
  run_on_devices(carry);
}
TEST_CASE("chares with buffers move in many orders of events", "[device][moved]") {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    INFO("seed " << seed);
    DeviceSceneSettings settings;
    settings.shape = {2, 2};
    settings.seed = seed;
    settings.devices = seed % 2 == 0 ? 2 : 1;
    settings.stages_all = seed % 3 == 0;
    DeviceScene scene(settings);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run(carry);
  }
}
TEST_CASE("a buffer goes from device to device with its chare", "[device][moved]") {
  const TransferReport direct = move_once(false);
  CHECK(direct[kaon::runtime::Route::fetched].bytes == kSize * sizeof(int));
  CHECK(direct[kaon::runtime::Route::host].payloads == 0);
  const TransferReport staged = move_once(true);
  CHECK(staged[kaon::runtime::Route::staged_in_memory].bytes == kSize * sizeof(int));
}
TEST_CASE("the time of devices and the memory that elements have there are measured", "[device][balancing]") {
  DeviceScene scene({});
  scene.run(weigh);
}
TEST_CASE("no more elements go to a device than its memory has room for", "[device][balancing]") {
  DeviceScene scene(with_memory(17));
  scene.run(crowd);
}
TEST_CASE("a PE takes nothing that its device has no room for", "[device][balancing]") {
  DeviceScene scene(with_memory(17));
  scene.run(crowd_by_gossip);
}

}  // namespace kaon::testing::moving_buffers

// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Entries of objects that do not change, of which workers keep copies.
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/kept.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::kept {

using Tables = gpu::Resident<TableEntries>;

static_assert(gpu::KeptObjects::keeps<SmallTable>() && !gpu::KeptObjects::keeps<LargeTable>());
struct alignas(64) AlignedTable {
  static constexpr bool kIsConstant = true;
  std::uint32_t numbers[16];
};
static_assert(!gpu::KeptObjects::keeps<AlignedTable>());  // a copy lies at no multiple of 64
static_assert(gpu::is_constant<LargeTable>() && !gpu::is_constant<int>());

constexpr std::uint32_t kTables = 3 * gpu::KeptObjects::kCount + 1;

std::uint32_t number_of(std::uint32_t table, std::uint32_t place) { return 1000 * (table + 1) + place; }

template <class OneTable>
class Host : public Chare<Host<OneTable>> {
 public:
  /// All of a worker's tables in turns, so that copies give way to others.
  Task<std::uint32_t> read(unsigned workers, double idle_us) {
    Tables tables(options_of_tables(workers, idle_us));
    const auto made = co_await make(tables);
    std::uint32_t wrong = 0;
    for (std::uint32_t round = 0; round < 3; ++round)
      for (std::uint32_t i = 0; i < 4 * kTables; ++i) {
        const std::uint32_t table = round == 1 ? i / 4 : i * 5 % kTables, place = i % OneTable::kSize;
        const std::uint32_t value = co_await tables.call(made[table], Read<OneTable>{place});
        wrong += value != number_of(table, place) ? 1 : 0;
      }
    co_return wrong;
  }
  /// The same on the device.
  Task<bool> walk(unsigned workers, std::uint32_t steps) {
    Tables tables(options_of_tables(workers, 1000));
    const auto made = co_await make(tables);
    std::uint32_t expected = 0, seen = 0;
    for (std::uint32_t i = 0; i <= steps; ++i)
      expected += number_of(i % kTables, static_cast<std::uint32_t>((steps - i) % OneTable::kSize));
    tables.send(made[0], Walk<OneTable>{steps});
    constexpr std::uint32_t kLooks = 10'000;
    for (std::uint32_t i = 0; i < kLooks && seen < expected; ++i)
      seen = co_await tables.call(made[0], Read<OneTable>{OneTable::kSize});
    co_return seen == expected;
  }

 private:
  static gpu::ResidentOptions options_of_tables(unsigned workers, double idle_us) {
    gpu::ResidentOptions options;
    options.workers = workers;
    options.threads = 64;
    options.idle_us = idle_us;
    return options;
  }
  Task<std::vector<gpu::DeviceObject<OneTable>>> make(Tables& tables) {
    sum_ = gpu::Buffer<std::uint32_t>(1, stream_);
    ring_ = gpu::Buffer<gpu::DeviceObject<OneTable>>(kTables, stream_);
    stream_.fill(sum_.span(), 0);
    const gpu::Pinned<gpu::DeviceObject<OneTable>> handles(kTables, stream_);
    std::vector<gpu::DeviceObject<OneTable>> made;
    for (std::uint32_t i = 0; i < kTables; ++i) {
      OneTable table{{}, sum_.data(), ring_.data() + (i + 1) % kTables};
      for (std::uint32_t place = 0; place < OneTable::kSize; ++place) table.numbers[place] = number_of(i, place);
      made.push_back(co_await tables.make(table));
      handles[i] = made.back();
    }
    stream_.copy(ring_.span(), handles);
    co_await stream_.drained();
    co_return made;
  }

  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> sum_;
  gpu::Buffer<gpu::DeviceObject<OneTable>> ring_;  // which table is behind each
};

TEMPLATE_TEST_CASE("entries see the constant object that is theirs, of more than a worker keeps",
                   "[device][resident][kept]", SmallTable, LargeTable) {
  run_on_devices([](Runtime& runtime) -> Task<> {
    using OneHost = Host<TestType>;
    const auto hosts = co_await runtime.create<OneHost>(1);
    CHECK_AWAITED(hosts[0].template call<&OneHost::read>(1U, 1000.0), 0);
    CHECK_AWAITED(hosts[0].template call<&OneHost::read>(2U, 0.0), 0);  // copies end with a launch
  });
}

TEMPLATE_TEST_CASE("entries of constant objects send to each other", "[device][resident][kept]", SmallTable,
                   LargeTable) {
  run_on_devices([](Runtime& runtime) -> Task<> {
    using OneHost = Host<TestType>;
    const auto hosts = co_await runtime.create<OneHost>(1);
    for (const unsigned workers : {1U, 3U}) CHECK_AWAITED(hosts[0].template call<&OneHost::walk>(workers, 100U), true);
  });
}

}  // namespace kaon::testing::kept

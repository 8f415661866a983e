// SPDX-License-Identifier: Apache-2.0
// Threads of a block, and blocks of a grid, that hand values to each other.
#include <algorithm>
#include <numeric>

#include "kaon/gpu/backends/error.hpp"
#include "tests/gpu/kernels/block.kernels.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// `values`, each `block` of them turned around.
std::vector<int> turned(std::vector<int> values, std::size_t block) {
  for (auto from = values.begin(); from != values.end(); from += static_cast<std::ptrdiff_t>(block))
    std::reverse(from, from + static_cast<std::ptrdiff_t>(block));
  return values;
}

/// Runs Combine for blocks of `threads` threads and compares with the host. Values are whole: every order adds alike.
template <class T, int kOffset>
void check_combine(Driver& driver, unsigned blocks, const Extent& threads) {
  const std::size_t block = threads.volume(), count = blocks * block;
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * 7919 % 1009) - 400;
  std::vector<T> sums(count), least(count), most(count), inclusive(count), exclusive(count);
  for (std::size_t from = 0; from < count; from += block) {
    T sum = 0, low = values[from] + kOffset, high = low;
    for (std::size_t i = from; i < from + block; ++i) {
      const T value = values[i] + kOffset;
      exclusive[i] = sum;
      inclusive[i] = sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    for (std::size_t i = from; i < from + block; ++i) sums[i] = sum, least[i] = low, most[i] = high;
  }
  TestMemory<T> in(driver, count), a(driver, count), b(driver, count), c(driver, count), d(driver, count),
      e(driver, count);
  in.write(values);
  const TestStream stream(driver);
  launch(driver.backend(), stream, {{blocks}, threads},
         Combine<T, kOffset>{in.get(), a.get(), b.get(), c.get(), d.get(), e.get()});
  settle(driver, stream);
  CAPTURE(blocks, threads.x, threads.y, threads.z);
  CHECK(a.read() == sums);
  CHECK(b.read() == least);
  CHECK(c.read() == most);
  CHECK(d.read() == inclusive);
  CHECK(e.read() == exclusive);
}

std::string fault_of(Driver& driver, NativeStream stream) {
  try {
    settle(driver, stream);
  } catch (const GpuError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("threads of a block hand values to each other through the memory they share", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    for (const Extent& threads : {Extent{1}, Extent{2}, Extent{33}, Extent{256}, Extent{8, 4, 3}}) {
      const std::size_t count = 5 * threads.volume();
      TestMemory<int> values(driver, count);
      values.write(counted(count));
      const TestStream stream(driver);
      launch(driver.backend(), stream, {{5}, threads}, Turn{values.get()});
      settle(driver, stream);
      CHECK(values.read() == turned(counted(count), threads.volume()));
    }
  });
}

TEST_CASE("a forgotten barrier shows in the emulation", "[gpu][kernel]") {
  if (kaon::testing::kHasThreadSanitizer) return;  // which ends the program: see racing_kernel_program.cpp
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto driver = make_host_driver({.seed = seed});
    TestMemory<int> values(*driver, 100);
    values.write(counted(100));
    const TestStream stream(*driver);
    launch(Backend::host, stream, {{1}, {100}}, TurnWithoutBarrier{values.get()});
    settle(*driver, stream);
    CHECK(values.read() != turned(counted(100), 100));
  }
}

TEST_CASE("shared memory has the size that the launch says, also more than 48 KiB", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    for (const std::size_t bytes : {std::size_t{256} * sizeof(int), std::size_t{100} << 10}) {
      TestMemory<int> values(driver, 512);
      values.write(counted(512));
      const TestStream stream(driver);
      launch(driver.backend(), stream, {{2}, {256}, bytes}, TurnDynamic{values.get()});
      settle(driver, stream);
      CHECK(values.read() == turned(counted(512), 256));
    }
  });
}

TEST_CASE("more shared memory than a block can have is refused", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    const TestStream stream(driver);
    CHECK_THROWS_AS(launch(driver.backend(), stream, {{1}, {1}, std::size_t{1} << 20}, TurnDynamic{nullptr}), GpuError);
  });
}

TEST_CASE("blocks sum, find extremes and scan, with whole and broken warps", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    for (const Extent& threads :
         {Extent{1}, Extent{7}, Extent{32}, Extent{33}, Extent{64}, Extent{100}, Extent{16, 4, 2}, Extent{1024}}) {
      check_combine<int, 0>(driver, 3, threads);
      check_combine<double, -3>(driver, 2, threads);
    }
  });
}

TEST_CASE("a kernel that steps over the grid sums with one thread a block as with many", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    TestMemory<long long> values(driver, 10'000);
    std::vector<long long> given(10'000);
    std::iota(given.begin(), given.end(), 1);
    values.write(given);
    TestMemory<unsigned long long> total(driver, 1);
    total.write({0});
    const TestStream stream(driver);
    launch(driver.backend(), stream, {{12}, {96}}, Total{values.get(), given.size(), total.get()});
    settle(driver, stream);
    CHECK(total.read()[0] == 50'005'000);
  });
}

TEST_CASE("all blocks of a cooperative kernel run at once and meet", "[gpu][kernel]") {
  constexpr unsigned kBlocks = 24;
  constexpr int kRounds = 5;
  on_each_back_end([](Driver& driver) {
    TestMemory<unsigned> cells(driver, kBlocks), sums(driver, kBlocks);
    const TestStream stream(driver);
    const unsigned expected = kRounds * (kBlocks * (kBlocks - 1) / 2) + kBlocks * (kRounds * (kRounds - 1) / 2);
    launch(driver.backend(), stream, {{kBlocks}, {32}}, MeetAll{cells.get(), sums.get(), kRounds});
    settle(driver, stream);
    CHECK(sums.read() == std::vector<unsigned>(kBlocks, expected));
    launch(driver.backend(), stream, {{kBlocks}, {32}}, MeetAllThreads{cells.get(), sums.get(), kRounds});
    settle(driver, stream);
    CHECK(sums.read() == std::vector<unsigned>(kBlocks, expected));
  });
}

TEST_CASE("kernels that start early see what those before them wrote", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    TestMemory<int> values(driver, 10'000);
    values.write(std::vector<int>(10'000, 0));
    const TestStream stream(driver);
    for (int i = 0; i < 50; ++i) launch(driver.backend(), stream, {{20}, {128}}, AddEarly{values.get(), 10'000});
    settle(driver, stream);
    CHECK(values.read() == std::vector<int>(10'000, 50));
  });
}

TEST_CASE("for_each's kernels run once for each index, on any grid", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    for (const std::size_t count : {1, 255, 256, 257, 100'000}) {
      TestMemory<long long> values(driver, count + 1);
      values.write(std::vector<long long>(count + 1, 1));
      const TestStream stream(driver);
      const Grid grid = flat_grid(driver.backend(), driver.describe(0).processors, count);
      CHECK(grid.threads.volume() <= kThreadsOfABlock);
      launch(driver.backend(), stream, grid, ForEach<AddTo<long long, 3>>{count, {values.get()}});
      settle(driver, stream);
      std::vector<long long> expected(count + 1, 4);
      expected.back() = 1;
      CHECK(values.read() == expected);
    }
  });
}

TEST_CASE("for_each takes a block for 256 values, and of large counts more with each, up to 256 blocks a processor",
          "[gpu][kernel]") {
  const auto blocks = [](std::size_t count) { return flat_grid(Backend::cuda, 132, count).blocks.x; };
  CHECK(blocks(1) == 1);
  CHECK(blocks(257) == 2);
  CHECK(blocks(std::size_t{16} * 132 * 256) == 16 * 132);
  CHECK(blocks(std::size_t{1} << 22) == 16 * 132);  // at 8 values a thread it would be less
  CHECK(blocks(std::size_t{1} << 24) == (1 << 24) / 256 / 8);
  CHECK(blocks(std::size_t{1} << 32) == 256 * 132);
}

TEST_CASE("threads that wait where the others never come are a fault with the kernel's name", "[gpu][kernel]") {
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const auto& [way, expected] : {std::pair{Apart::Way::other_barrier, "others are in"},
                                        std::pair{Apart::Way::ended, "sum() needs all threads of a block"}}) {
      const auto driver = make_host_driver({.seed = seed});
      const NativeStream stream = driver->make_stream(0);
      int sum = 0;
      launch(Backend::host, stream, {{1}, {4}}, Apart{way, &sum});
      const std::string fault = fault_of(*driver, stream);
      CAPTURE(fault);
      CHECK(has(fault, "kernel kaon::gpu::test::Apart"));
      CHECK(has(fault, expected));
      CHECK_THROWS_AS(settle(*driver, stream), GpuError);  // a fault stays
      driver->destroy(stream);
    }
  }
}

TEST_CASE("a cooperative grid that the emulation cannot run at once is refused", "[gpu][kernel]") {
  const auto driver = make_host_driver({});
  const NativeStream stream = driver->make_stream(0);
  CHECK_THROWS_AS(launch(Backend::host, stream, {{1000}, {100}}, MeetAllThreads{nullptr, nullptr, 1}), GpuError);
  driver->destroy(stream);
}

TEST_CASE("a block has 256 threads unless its kernel says otherwise", "[gpu][kernel]") {
  STATIC_REQUIRE(most_threads<Turn>() == 256);
  STATIC_REQUIRE(most_threads<Combine<int, 0>>() == 1024);
  on_each_back_end([](Driver& driver) {
    const TestStream stream(driver);
    CHECK_THROWS_AS(launch(driver.backend(), stream, {{1}, {257}}, Turn{nullptr}), GpuError);
  });
}

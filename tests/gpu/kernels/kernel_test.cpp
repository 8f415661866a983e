// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/kernels/kernel.hpp"

#include <algorithm>

#include "kaon/gpu/backends/error.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/gpu/test_kernels.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

/// Grids of one thread, of a part of a warp, of many blocks with a broken warp at the end, and of all dimensions.
const std::vector<Grid> kGrids = {{{1, 1, 1}, {1, 1, 1}},
                                  {{1, 1, 1}, {7, 1, 1}},
                                  {{13, 1, 1}, {100, 1, 1}},
                                  {{3, 2, 2}, {16, 4, 2}},
                                  {{2, 1, 1}, {1024, 1, 1}}};

/// Values without a pattern, the same everywhere.
std::vector<double> scattered(std::size_t count, unsigned seed) {
  std::vector<double> values(count);
  std::uint64_t state = seed;
  for (double& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(state >> 11) / 9007199254740992.0;
  }
  return values;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const GpuError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("saxpy has the host's digits for every grid", "[gpu][kernel]") {
  constexpr std::size_t kCount = 5000;
  constexpr double kBy = 1.0 / 3;
  const std::vector<double> x = scattered(kCount, 1), y = scattered(kCount, 2);
  std::vector<double> expected(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const volatile double product = kBy * x[i];  // rounded by itself: the compiler may not fuse
    expected[i] = product + y[i];
  }
  on_each_back_end([&](Driver& driver) {
    for (const Grid& grid : kGrids) {
      TestMemory<double> device_x(driver, kCount), device_y(driver, kCount);
      device_x.write(x);
      device_y.write(y);
      const TestStream stream(driver);
      launch(driver.backend(), stream, grid, Saxpy{kBy, device_x.get(), device_y.get(), kCount});
      settle(driver, stream);
      REQUIRE(device_y.read() == expected);
    }
  });
}

TEST_CASE("blocks reduce to their maximum and raise a cell to it", "[gpu][kernel]") {
  const std::vector<double> values = scattered(3000, 7);
  // The largest at every place of a small array: no lane may be forgotten.
  on_each_back_end([&](Driver& driver) {
    for (const Grid& grid : kGrids) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{33}, values.size()}) {
        TestMemory<double> device(driver, count), most(driver, 1);
        device.write({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)});
        const TestStream stream(driver);
        driver.fill(most.get(), 0, sizeof(double), stream);
        launch(driver.backend(), stream, grid, Largest{device.get(), count, most.get()});
        settle(driver, stream);
        REQUIRE(most.read()[0] ==
                *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)));
      }
    }
  });
}

TEST_CASE("the maximum is found in every lane", "[gpu][kernel]") {
  constexpr unsigned kThreads = 71;  // two warps of 32 and a piece, or one of 64 and a piece
  on_each_back_end([&](Driver& driver) {
    TestMemory<double> device(driver, kThreads), most(driver, 1);
    for (unsigned place = 0; place < kThreads; ++place) {
      std::vector<double> values(kThreads, 1);
      values[place] = 2;
      device.write(values);
      const TestStream stream(driver);
      driver.fill(most.get(), 0, sizeof(double), stream);
      launch(driver.backend(), stream, {{1, 1, 1}, {kThreads, 1, 1}}, Largest{device.get(), kThreads, most.get()});
      settle(driver, stream);
      REQUIRE(most.read()[0] == 2);
    }
  });
}

TEST_CASE("a cell is raised by all blocks and never lowered", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    TestMemory<double> most(driver, 1);
    for (const auto& [start, expected] : {std::pair{0.0, 199.0}, {5.5, 199.0}, {1000.25, 1000.25}}) {
      most.write({start});
      const TestStream stream(driver);
      launch(driver.backend(), stream, {{200, 1, 1}, {64, 1, 1}}, RaiseToBlock{most.get()});
      settle(driver, stream);
      REQUIRE(most.read()[0] == expected);
    }
  });
}

TEST_CASE("all threads add to one cell", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    for (const Grid& grid : kGrids) {
      TestMemory<unsigned long long> whole(driver, 1);
      TestMemory<double> halves(driver, 1);
      whole.write({3});
      halves.write({0.25});
      const TestStream stream(driver);
      launch(driver.backend(), stream, grid, CountUp{whole.get(), halves.get(), 5000});
      settle(driver, stream);
      REQUIRE(whole.read()[0] == 5003);
      REQUIRE(halves.read()[0] == 2500.25);
    }
  });
}

TEST_CASE("every block knows its place; one of the host has one thread", "[gpu][kernel]") {
  constexpr Grid kGrid{{3, 4, 2}, {8, 2, 2}};
  on_each_back_end([&](Driver& driver) {
    const TestMemory<unsigned> census(driver, 4 * kGrid.blocks.volume());
    const TestStream stream(driver);
    launch(driver.backend(), stream, kGrid, Census{census.get()});
    settle(driver, stream);
    const unsigned threads = driver.backend() == Backend::host ? 1 : 32;
    std::vector<unsigned> expected;
    for (unsigned block = 0; block < kGrid.blocks.volume(); ++block) {
      expected.insert(expected.end(), {block % 3, block / 3 % 4, block / 12, threads});
    }
    REQUIRE(census.read() == expected);
  });
}

TEST_CASE("kernels and copies of one stream keep their order", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    constexpr std::size_t kCount = 100;
    TestMemory<double> x(driver, kCount), y(driver, kCount);
    x.write(std::vector<double>(kCount, 1));
    const TestStream stream(driver);
    driver.fill(y.get(), 0, y.bytes(), stream);
    for (int i = 0; i < 20; ++i) {
      launch(driver.backend(), stream, {{4, 1, 1}, {32, 1, 1}}, Saxpy{1, x.get(), y.get(), kCount});
      driver.copy(x.get(), y.get(), x.bytes(), stream);  // both double each time
    }
    settle(driver, stream);
    REQUIRE(y.read() == std::vector<double>(kCount, 1 << 19));
  });
}

TEST_CASE("a grid that no device runs is refused with the kernel's name", "[gpu][kernel]") {
  on_each_back_end([](Driver& driver) {
    TestMemory<double> most(driver, 1);
    most.write({1});
    const TestStream stream(driver);
    for (const Grid& grid : {Grid{{0, 1, 1}, {1, 1, 1}}, Grid{{1, 1, 1}, {2048, 1, 1}}, Grid{{1, 1, 1}, {64, 32, 1}},
                             Grid{{1, 1, 1}, {1, 1, 65}}, Grid{{1, 65536, 1}, {1, 1, 1}}}) {
      const std::string message = message_of([&] { launch(driver.backend(), stream, grid, RaiseToBlock{most.get()}); });
      CHECK(message.find("kaon::gpu::test::RaiseToBlock") != std::string::npos);
    }
    settle(driver, stream);
    CHECK(most.read()[0] == 1);
  });
}

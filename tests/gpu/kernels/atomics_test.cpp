// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, and kernels of several streams
// Atomics of kernels that return a value, and their clock.
#include "kaon/gpu/kernels/fetching_cells.hpp"
#include "tests/gpu/kernels/atomics.kernels.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

/// Kernels of two streams draw from one cell, `count` tickets each.
template <class Word>
void draw_by_two(Driver& driver, std::size_t count) {
  const std::vector<std::uint32_t> expected(2 * count, 1);
  TestMemory<Word> next(driver, 1);
  TestMemory<std::uint32_t> drawn(driver, expected.size());
  next.write({0});
  drawn.write(std::vector<std::uint32_t>(expected.size()));
  {
    const TestStream one(driver), other(driver);
    for (const NativeStream stream : {NativeStream(one), NativeStream(other)})
      launch(driver.backend(), stream, {{8}, {32}}, DrawTickets<Word>{next.get(), drawn.get(), count});
  }
  CHECK(drawn.read() == expected);
  CHECK(next.read() == std::vector<Word>{static_cast<Word>(2 * count)});
}

template <class Word>
std::vector<unsigned long long> sum_by_bits(Driver& driver, unsigned blocks) {
  TestMemory<Word> bits(driver, 1);
  TestMemory<std::uint64_t> cells(driver, blocks);
  TestMemory<unsigned long long> sum(driver, 1);
  bits.write({0});
  cells.write(std::vector<std::uint64_t>(blocks));
  sum.write({0});
  {
    const TestStream stream(driver);
    launch(driver.backend(), stream, {{blocks}, {32}}, SumByLastBit<Word>{bits.get(), cells.get(), sum.get()});
  }
  CHECK(bits.read() == std::vector<Word>{(Word{1} << blocks) - 1});
  return sum.read();
}

}  // namespace

TEST_CASE("each ticket that kernels of two streams draw is drawn once", "[gpu][atomics]") {
  on_each_back_end([](Driver& driver) {
    draw_by_two<std::uint32_t>(driver, 1000);
    draw_by_two<std::uint64_t>(driver, 1000);
  });
}

TEST_CASE("the block that sets the last bit sees what the others wrote", "[gpu][atomics]") {
  on_each_back_end([](Driver& driver) {
    CHECK(sum_by_bits<std::uint32_t>(driver, 31) == std::vector<unsigned long long>{31 * 32 / 2});
    CHECK(sum_by_bits<std::uint64_t>(driver, 60) == std::vector<unsigned long long>{60 * 61 / 2});
  });
}

TEST_CASE("one block of all is the last to arrive, and sees what the others wrote", "[gpu][atomics]") {
  on_each_back_end([](Driver& driver) {
    constexpr unsigned kBlocks = 5, kThreads = 32;
    constexpr std::uint32_t kRounds = 20;
    constexpr std::uint64_t kCount = std::uint64_t{kBlocks} * kThreads;
    TestMemory<std::uint32_t> arrived(driver, 1);
    TestMemory<std::uint64_t> cells(driver, kCount);
    TestMemory<unsigned long long> sums(driver, kRounds);
    arrived.write({0});
    sums.write(std::vector<unsigned long long>(kRounds));
    {
      const TestStream stream(driver);
      launch(driver.backend(), stream, {{kBlocks}, {kThreads}},
             SumByLast{arrived.get(), cells.get(), sums.get(), kRounds});
    }
    std::vector<unsigned long long> expected;
    for (std::uint64_t round = 0; round < kRounds; ++round)
      expected.push_back(kCount * (kCount - 1) / 2 + kCount * round);
    CHECK(sums.read() == expected);
    CHECK(arrived.read() == std::vector<std::uint32_t>{0});
  });
}

TEST_CASE("a kernel waits by its clock", "[gpu][atomics]") {
  on_each_back_end([](Driver& driver) {
    constexpr std::uint64_t kWait = 50'000;
    const TestMemory<std::uint64_t> times(driver, 4);
    {
      const TestStream stream(driver);
      launch(driver.backend(), stream, {{2}, {1}}, WaitByClock{kWait, times.get()});
    }
    const std::vector<std::uint64_t> read = times.read();
    CHECK(read[1] - read[0] >= kWait);
    CHECK(read[3] - read[2] >= kWait);
  });
}

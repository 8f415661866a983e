// SPDX-License-Identifier: Apache-2.0
// Kernels that wait for flags which the host, their own blocks and other streams raise.
#include <atomic>
#include <numeric>

#include "kaon/gpu/backends/error.hpp"
#include "tests/gpu/kernels/flags.kernels.hpp"
#include "tests/gpu/test_device.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

using Words = TestMemory<std::uint32_t>;
using Numbers = TestMemory<std::uint64_t>;

/// A word in pinned memory, as the host sees it.
class HostFlag {
 public:
  HostFlag(Driver& driver, std::uint32_t value) : driver_(driver), word_(driver, 1, Words::Kind::pinned) {
    *word_.get() = value;
  }
  FlagWord word() const { return {word_.get()}; }
  void raise_to(std::uint32_t k) { cell().store(k, std::memory_order_release); }
  void wait_for(std::uint32_t k) {
    while (!FlagWord::is_reached(cell().load(std::memory_order_acquire), k)) (void)driver_.advance();
  }

 private:
  std::atomic_ref<std::uint32_t> cell() const { return std::atomic_ref<std::uint32_t>(*word_.get()); }
  Driver& driver_;
  Words word_;
};

/// Asks Echo `asked` of `rounds` times, with flags that begin at `first`. Returns how many it says it has answered.
std::uint32_t converse(Driver& driver, std::uint32_t asked, std::uint32_t rounds, std::uint32_t first,
                       WaitLimit limit = {}) {
  HostFlag call(driver, first), reply(driver, first);
  const Numbers question(driver, 1, Numbers::Kind::pinned), answer(driver, 1, Numbers::Kind::pinned);
  const Words served(driver, 1, Words::Kind::pinned);
  {
    const TestStream stream(driver);
    launch(driver.backend(), stream, {{1}, {1}},
           Echo{call.word(), reply.word(), question.get(), answer.get(), served.get(), rounds, first, asked, limit});
    for (std::uint32_t round = 1; round <= asked; ++round) {
      *question.get() = round * 1000ULL;
      call.raise_to(first + round);
      reply.wait_for(first + round);
      REQUIRE(*answer.get() == round * 2000ULL);
    }
    settle(driver, stream);
  }
  return *served.get();
}

}  // namespace

TEST_CASE("a flag is reached by its distance around the circle", "[gpu][flag]") {
  CHECK(FlagWord::is_reached(0, 0));
  CHECK_FALSE(FlagWord::is_reached(0, 1));
  CHECK(FlagWord::is_reached(5, 4));
  CHECK(FlagWord::is_reached(2, 0xffff'fffe));
  CHECK_FALSE(FlagWord::is_reached(0xffff'fffe, 2));
}

TEST_CASE("a kernel that runs on answers the host by flags", "[gpu][flag]") {
  on_each_back_end([](Driver& driver) {
    CHECK(converse(driver, 100, 100, 0) == 100);
    CHECK(converse(driver, 10, 10, 0xffff'fffb) == 10);  // past the end of the circle
  });
}

TEST_CASE("streams wait for flags and raise them", "[gpu][flag]") {
  on_each_back_end([](Driver& driver) {
    HostFlag call(driver, 0xffff'fffe), reply(driver, 5);
    const TestStream stream(driver), other(driver);
    driver.wait_flag(call.word().word, 1, stream);
    driver.write_flag(reply.word().word, 7, stream);
    driver.write_flag(call.word().word, 0xffff'ffff, other);  // not far enough
    settle(driver, other);
    CHECK(FlagWord::is_reached(5, *reply.word().word));
    driver.write_flag(call.word().word, 1, other);  // past the end of the circle
    reply.wait_for(7);
    settle(driver, stream);
  });
}

TEST_CASE("a kernel gives up a flag that is not raised", "[gpu][flag]") {
  on_each_back_end([](Driver& driver) { CHECK(converse(driver, 3, 5, 0, {2'000'000}) == 3); });
}

TEST_CASE("blocks of a kernel wait for each other by flags", "[gpu][flag]") {
  on_each_back_end([](Driver& driver) {
    constexpr unsigned kBlocks = 7;
    constexpr std::uint32_t kRounds = 50;
    Words done(driver, kBlocks), failures(driver, 1);
    Numbers cells(driver, kBlocks);
    done.write(std::vector<std::uint32_t>(kBlocks));
    failures.write({0});
    cells.write(std::vector<std::uint64_t>(kBlocks));
    const TestStream stream(driver);
    launch(driver.backend(), stream, {{kBlocks}, {1}}, PassOn{{done.get()}, cells.get(), kRounds, failures.get()});
    settle(driver, stream);
    CHECK(failures.read() == std::vector<std::uint32_t>{0});
    std::vector<std::uint64_t> expected(kBlocks);
    std::iota(expected.begin(), expected.end(), std::uint64_t{kBlocks} * (kRounds - 1) + 1);
    CHECK(cells.read() == expected);
  });
}

TEST_CASE("a kernel waits for one of another stream, and sees what that wrote", "[gpu][flag]") {
  on_each_back_end([](Driver& driver) {
    constexpr std::size_t kCount = 1000;
    constexpr std::uint32_t kBlocks = 4;
    Numbers values(driver, kCount), sum(driver, 1);
    Words done(driver, 1);
    values.write(std::vector<std::uint64_t>(kCount));
    sum.write({0});
    done.write({0});
    const TestStream consuming(driver), producing(driver);
    launch(driver.backend(), consuming, {{1}, {1}}, Consume{values.get(), kCount, {done.get()}, kBlocks, sum.get()});
    launch(driver.backend(), producing, {{kBlocks}, {32}}, Produce{values.get(), kCount, 3, {done.get()}});
    settle(driver, producing);
    settle(driver, consuming);
    CHECK(sum.read() == std::vector<std::uint64_t>{3 * kCount});
  });
}

TEST_CASE("a kernel that waits for flags says that its blocks run at once", "[gpu][flag]") {
  const auto driver = make_host_driver({});
  std::uint32_t word = 0;
  const NativeStream stream = driver->make_stream(0);
  HostKernel<WaitAlone>::launch(stream, {{1}, {2}}, WaitAlone{{&word}});
  std::string fault;
  try {
    settle(*driver, stream);
  } catch (const GpuError& error) {
    fault = error.what();
  }
  driver->destroy(stream);
  CHECK(fault.find("wait_for(): the kernel must say static constexpr bool kIsCooperative") != std::string::npos);
}

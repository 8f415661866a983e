// SPDX-License-Identifier: Apache-2.0
// How long a flag takes: from a PE to a kernel that runs on and back, through pinned memory; and from one block of a
// kernel to another, through the device's.
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/flags.kernels.hpp"
#include "bench/programs/measurement.hpp"

namespace flags {

using kaon::bench::Clock;

class Caller : public kaon::Chare<Caller> {
 public:
  /// Microseconds from a raise until the answer is seen; less than 0 when none came.
  kaon::Task<double> call(std::uint32_t rounds) {
    set(0, 0);
    set(1, 0);
    stream_.launch({{1}, {1}}, Answer{{words_.span().data()}, {words_.span().data() + kApart}, rounds});
    bool is_answered = true;
    auto start = Clock::now();
    for (std::uint32_t round = 1; round <= rounds && is_answered; ++round) {
      if (round == 2) start = Clock::now();  // the first waits for the launch
      set(0, round);
      is_answered = await_answer(round);
    }
    const double seconds = kaon::bench::seconds_between(start, Clock::now());
    co_await stream_.drained();
    co_return is_answered ? seconds * 1e6 / (rounds - 1) : -1;
  }
  /// Microseconds from one block to another and back.
  kaon::Task<double> take_turns(std::uint32_t rounds) {
    kaon::gpu::Buffer<std::uint32_t> words(2 * kApart, stream_);
    stream_.fill(words.span(), 0);
    co_await stream_.drained();
    const auto start = Clock::now();
    stream_.launch({{2}, {1}}, TakeTurns{{words.data()}, {words.data() + kApart}, rounds});
    co_await stream_.drained();
    co_return kaon::bench::seconds_between(start, Clock::now()) * 1e6 / rounds;
  }

 private:
  static constexpr std::size_t kApart = 32;  // words, so that each has a line of its own
  std::atomic_ref<std::uint32_t> word(std::size_t which) { return std::atomic_ref(words_[which * kApart]); }
  void set(std::size_t which, std::uint32_t value) { word(which).store(value, std::memory_order_release); }
  bool await_answer(std::uint32_t round) {
    const auto limit = Clock::now() + std::chrono::seconds(2);
    while (word(1).load(std::memory_order_acquire) != round) {
      if (Clock::now() > limit) return false;
    }
    return true;
  }

  kaon::gpu::Stream stream_;
  kaon::gpu::Pinned<std::uint32_t> words_{2 * kApart, stream_};
};

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  std::uint32_t rounds = 10'000;
  kaon::bench::CommandLine app("Times of flags between a PE and a kernel, and between blocks");
  app.number("--rounds", rounds, 2, 10'000'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const auto callers = co_await runtime.create<Caller>(1);
  const double call = co_await callers[0].call<&Caller::call>(rounds);
  if (call < 0) co_return 1;
  kaon::bench::print_measurement("flag from a PE to a kernel and back", call, "us");
  const double turns = co_await callers[0].call<&Caller::take_turns>(rounds);
  kaon::bench::print_measurement("flag from block to block and back", turns, "us");
  co_return 0;
}

}  // namespace flags

int main(int argc, char** argv) { return kaon::run(argc, argv, flags::bench, kaon::with_devices); }

// SPDX-License-Identifier: Apache-2.0
// What a small kernel costs that each of many chares gives in each step: launched by itself, or gathered. Beside it the
// same kernels launched in a loop, and one kernel for all of them, which are the floors.
#include <string>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/launches.kernels.hpp"
#include "bench/programs/measurement.hpp"

namespace launches {

using kaon::bench::Clock;

struct Turn {
  int step;
};

class Giver : public kaon::Chare<Giver> {
 public:
  kaon::Inbox<Turn> turns;

  Giver() { stream_.fill(count_.span(), 0); }

  kaon::Task<int> run(int steps, bool gathers) {
    for (int step = 0; step < steps; ++step) {
      if (gathers)
        stream_.gather_each(1, CountUp{count_.data()});
      else
        stream_.for_each(1, CountUp{count_.data()});
      self().send<&Giver::turns>(Turn{step});
      co_await turns.next();  // the others have theirs meanwhile
    }
    co_await stream_.drained();
    co_return steps;
  }
  kaon::Task<unsigned> count() {
    kaon::gpu::Pinned<unsigned> copy(1, stream_);
    stream_.copy(copy, count_.span());
    co_await stream_.drained();
    co_return copy[0];
  }

 private:
  kaon::gpu::Stream stream_ = kaon::gpu::Stream::shared();
  kaon::gpu::Buffer<unsigned> count_{1, stream_};
};

kaon::Task<> launch_in_a_loop(int chares, int steps, bool one_for_all) {
  kaon::gpu::Stream stream;
  const auto count = static_cast<std::size_t>(chares);
  kaon::gpu::Buffer<unsigned> counts(count, stream);
  stream.fill(counts.span(), 0);
  for (int step = 0; step < steps; ++step) {
    if (one_for_all) stream.for_each(count, CountUp{counts.data()});
    for (std::size_t i = 0; i < count && !one_for_all; ++i) stream.for_each(1, CountUp{counts.data() + i});
  }
  co_await stream.drained();
}

void print(const std::string& how, int chares, int steps, Clock::time_point start) {
  const double seconds = kaon::bench::seconds_between(start, Clock::now());
  kaon::bench::print_measurement(fmt::format("a kernel of each of {} chares, {}", chares, how),
                                 seconds * 1e6 / chares / steps, "us");
}

kaon::Task<bool> measure(kaon::Runtime& runtime, int chares, int steps) {
  const auto givers = co_await runtime.create<Giver>(chares);
  for (const bool gathers : {false, true}) {
    const auto start = Clock::now();
    co_await givers.call_all<&Giver::run>(kaon::max, steps, gathers);
    print(gathers ? "gathered" : "launched", chares, steps, start);
  }
  for (const bool one_for_all : {false, true}) {
    const auto start = Clock::now();
    co_await launch_in_a_loop(chares, steps, one_for_all);
    print(one_for_all ? "one launch for all by hand" : "launched in a loop", chares, steps, start);
  }
  const unsigned most = co_await givers.call_all<&Giver::count>(kaon::max);
  const unsigned least = co_await givers.call_all<&Giver::count>(kaon::min);
  co_return most == least&& most % (2 * static_cast<unsigned>(steps)) == 0;
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  std::vector<int> chares{8, 64};
  int steps = 200, repetitions = 5;
  kaon::bench::CommandLine app("What a kernel of each of many chares costs, launched and gathered");
  app.number("--chares", chares, 1, 10'000, "of all PEs");
  app.number("--steps", steps, 1, 100'000);
  app.number("--repetitions", repetitions, 1, 1'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  for (int i = 0; i < repetitions; ++i) {
    for (const int count : chares) {
      const bool is_right = co_await measure(runtime, count, steps);
      if (!is_right) co_return 1;
    }
  }
  co_return 0;
}

}  // namespace launches

int main(int argc, char** argv) { return kaon::run(argc, argv, launches::bench, kaon::with_devices); }

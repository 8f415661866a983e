// SPDX-License-Identifier: Apache-2.0
// How soon a task sees that its stream is done while other tasks of the PE await other streams, which are not: from the
// launch of an empty kernel to the task that awaits it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/awaits.kernels.hpp"
#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace awaits {

using kaon::bench::Clock;

struct Step {
  int stream;
};

class Waiter : public kaon::Chare<Waiter> {
 public:
  kaon::Inbox<Step> begun, ended;

  kaon::Task<void> await_stream(int which) {
    self().send<&Waiter::begun>(Step{which});
    co_await others_[static_cast<std::size_t>(which)]->drained();
    self().send<&Waiter::ended>(Step{which});
  }

  /// Microseconds, with so many streams awaited in all.
  kaon::Task<double> measure(int streams) {
    const int others = streams - 1;
    while (static_cast<int>(others_.size()) < others) others_.push_back(std::make_unique<kaon::gpu::Stream>());
    control_.fill(word_.span(), 0);
    co_await control_.drained();
    for (int i = 0; i < others; ++i) {
      others_[static_cast<std::size_t>(i)]->for_each(1, RunUntilSet{word_.data()});
      self().send<&Waiter::await_stream>(i);
    }
    for (int i = 0; i < others; ++i) co_await begun.next();
    const auto start = Clock::now();
    stream_.for_each(1, DoNothing{});
    co_await stream_.drained();
    const double seconds = kaon::bench::seconds_between(start, Clock::now());
    control_.fill(word_.span(), 1);
    for (int i = 0; i < others; ++i) co_await ended.next();
    co_return seconds * 1e6;
  }

 private:
  kaon::gpu::Stream stream_, control_;
  kaon::gpu::Buffer<std::uint32_t> word_{1, control_};
  std::vector<std::unique_ptr<kaon::gpu::Stream>> others_;
};

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  std::vector<int> streams{1, 64};
  int repetitions = 50;
  kaon::bench::CommandLine app("Time until one awaited stream among many is seen to be done");
  app.number("--streams", streams, 1, 1000, "that are awaited");
  app.number("--repetitions", repetitions, 1, 100'000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const kaon::Proxy<Waiter> waiters = co_await runtime.create<Waiter>(1);
  for (const int count : streams) {
    std::vector<double> times;
    for (int i = 0; i <= repetitions; ++i) times.push_back(co_await waiters[0].call<&Waiter::measure>(count));
    times.erase(times.begin());  // warm-up
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    kaon::bench::print_measurement(fmt::format("one of {} awaited streams", count),
                                   times[static_cast<std::size_t>(repetitions) / 2], "us");
  }
  co_return 0;
}

}  // namespace awaits

int main(int argc, char** argv) { return kaon::run(argc, argv, awaits::bench, kaon::with_devices); }

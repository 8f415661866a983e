// SPDX-License-Identifier: Apache-2.0
// From a send to the entry on a PE that sleeps, the last one. The clock is the same in all processes of a host.
#include <cstdint>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace wakeup {

using kaon::bench::Clock;

class Sleeper : public kaon::Chare<Sleeper> {
 public:
  /// Nanoseconds since `sent_at`, on this PE's clock.
  std::int64_t wake(std::int64_t sent_at) { return Clock::now().time_since_epoch().count() - sent_at; }
};

kaon::Task<int> wakeup(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int repetitions = 50;
  double pause_ms = 3;
  kaon::bench::CommandLine app("Time to wake a PE that sleeps");
  app.number("--repetitions", repetitions, 1, 100'000);
  app.number("--pause-ms", pause_ms, 0.0, 1e4, "before each, for the PE to fall asleep");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  const kaon::Group<Sleeper> sleepers = co_await runtime.create_group<Sleeper>();
  const kaon::Element<Sleeper> last = sleepers[static_cast<int>(runtime.pes()) - 1];
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    co_await runtime.sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(pause_ms * 1e6)));
    const std::int64_t now = Clock::now().time_since_epoch().count();
    times.push_back(static_cast<double>(co_await last.call<&Sleeper::wake>(now)) / 1e3);
  }
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  kaon::bench::print_measurement("wake-up", times[static_cast<std::size_t>(repetitions) / 2], "us");
  co_return 0;
}

}  // namespace wakeup

int main(int argc, char** argv) { return kaon::run(argc, argv, wakeup::wakeup); }

// SPDX-License-Identifier: Apache-2.0
// Messages a second in rings of elements: each element starts a token, and each token goes to the next element until it
// has made its steps. Neighbours are on different PEs, so that with several PEs every message crosses.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace rate {

using kaon::bench::Clock;

class Station : public kaon::Chare<Station> {
 public:
  Station() : next_(array()[(index().x + 1) % array().shape().x]) {}

  void start(std::uint64_t steps) { next_.send<&Station::pass>(steps - 1); }
  void pass(std::uint64_t left) {
    ++passed_;
    if (left > 0) next_.send<&Station::pass>(left - 1);
  }
  std::uint64_t passed() { return std::exchange(passed_, 0); }

 private:
  kaon::Element<Station> next_;
  std::uint64_t passed_ = 0;
};

/// Seconds from the broadcast that starts the tokens to quiescence, which is seen some tenths of a millisecond late.
kaon::Task<double> time_of(kaon::Runtime& runtime, kaon::Proxy<Station> ring, int steps) {
  const auto start = Clock::now();
  ring.broadcast<&Station::start>(static_cast<std::uint64_t>(steps));
  co_await runtime.quiescence();
  const double seconds = kaon::bench::seconds_between(start, Clock::now());
  const std::uint64_t passed = co_await ring.call_all<&Station::passed>(kaon::sum);
  const std::uint64_t sent = ring.shape().count() * static_cast<std::uint64_t>(steps);
  if (passed != sent) throw std::logic_error(fmt::format("{} of {} messages arrived before quiescence", passed, sent));
  co_return seconds;
}

kaon::Task<int> measure(kaon::Runtime& runtime, int elements, double milliseconds) {
  kaon::Proxy<Station> ring = co_await runtime.create_mapped<Station>(elements, kaon::Map::round_robin);
  int steps = std::max(2, 10'000 / elements);
  double seconds = co_await time_of(runtime, ring, steps);
  for (const double share : {0.2, 1.0}) {  // the first is warm-up and a better estimate
    steps = kaon::bench::repetitions_for(share * milliseconds / 1e3, steps, seconds);
    seconds = co_await time_of(runtime, ring, steps);
  }
  kaon::bench::print_measurement(fmt::format("{} elements", elements), 1.0 * elements * steps / seconds / 1e6, "M/s");
  co_return 0;
}

kaon::Task<int> rate(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  std::vector<int> elements{1000, 100'000};
  double milliseconds = 150;
  kaon::bench::CommandLine app("Messages a second in rings of elements with one token for each element");
  app.number("--elements", elements, 2, 100'000'000);
  app.number("--milliseconds", milliseconds, 1.0, 1e5, "of each ring");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  for (const int count : elements) co_await measure(runtime, count, milliseconds);
  co_return 0;
}

}  // namespace rate

int main(int argc, char** argv) { return kaon::run(argc, argv, rate::rate); }

// SPDX-License-Identifier: Apache-2.0
// A broadcast to all elements whose results come back combined, time for each element.
#include <cstdint>
#include <stdexcept>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace broadcast {

using kaon::bench::Clock;

class Leaf : public kaon::Chare<Leaf> {
 public:
  std::uint64_t add(std::uint64_t step) { return sum_ += step; }

 private:
  std::uint64_t sum_ = 0;
};

struct Sums {
  std::uint64_t steps = 0, expected = 0;
};

/// Seconds of so many broadcasts, one after the other.
kaon::Task<double> time_of(kaon::Proxy<Leaf> leaves, int broadcasts, Sums& sums) {
  const auto start = Clock::now();
  for (int i = 0; i < broadcasts; ++i) {
    sums.expected += ++sums.steps;
    const std::uint64_t sum = co_await leaves.call_all<&Leaf::add>(kaon::sum, sums.steps);
    const std::uint64_t expected = sums.expected * leaves.shape().count();
    if (sum != expected) throw std::logic_error(fmt::format("results add up to {}, not to {}", sum, expected));
  }
  co_return kaon::bench::seconds_between(start, Clock::now());
}

kaon::Task<int> broadcast(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int elements = 100'000;
  double milliseconds = 150;
  kaon::bench::CommandLine app("Broadcast and reduction, time for each element");
  app.number("--elements", elements, 1, 100'000'000);
  app.number("--milliseconds", milliseconds, 1.0, 1e5);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  const kaon::Proxy<Leaf> leaves = co_await runtime.create<Leaf>(elements);
  Sums sums;
  int broadcasts = 3;
  double seconds = co_await time_of(leaves, broadcasts, sums);
  broadcasts = kaon::bench::repetitions_for(milliseconds / 1e3, broadcasts, seconds);
  seconds = co_await time_of(leaves, broadcasts, sums);
  kaon::bench::print_measurement(fmt::format("{} elements", elements), seconds * 1e9 / broadcasts / elements, "ns");
  co_return 0;
}

}  // namespace broadcast

int main(int argc, char** argv) { return kaon::run(argc, argv, broadcast::broadcast); }

// SPDX-License-Identifier: Apache-2.0
// Random walks over an array: tokens that hop from element to element, a message each, few of them at once. Half of the
// hops leave the PE when there are two.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/random.hpp"

namespace walk {

using kaon::bench::Clock;

struct Arrived {
  std::uint64_t hops;
};

/// On the first PE: tokens that have made their hops come here.
class End : public kaon::Chare<End> {
 public:
  kaon::Inbox<Arrived> arrived;
  kaon::Task<std::uint64_t> count(int tokens) {
    std::uint64_t hops = 0;
    for (int i = 0; i < tokens; ++i) hops += (co_await arrived.next()).hops;
    co_return hops;
  }
};

class Station : public kaon::Chare<Station> {
 public:
  explicit Station(kaon::Group<End> ends) : end_(ends[0]) {}

  void hop(int left, std::uint64_t made, std::uint64_t random) {
    if (left == 0) return end_.send<&End::arrived>(Arrived{made});
    random = kaon::bench::next_random(random);
    const int next = kaon::bench::pick(random, array().shape().x);
    array()[next].send<&Station::hop>(left - 1, made + 1, random);
  }

 private:
  kaon::Element<End> end_;
};

struct Field {
  kaon::Group<End> ends;
  kaon::Proxy<Station> stations;
};

/// Seconds until so many tokens have each made so many hops.
kaon::Task<double> time_of(Field field, int tokens, int hops) {
  const auto start = Clock::now();
  auto counted = field.ends[0].call<&End::count>(tokens);
  std::uint64_t random = 12345;
  for (int token = 0; token < tokens; ++token) {
    random = kaon::bench::next_random(random);
    const int first = kaon::bench::pick(random, field.stations.shape().x);
    field.stations[first].send<&Station::hop>(hops, std::uint64_t{0}, random);
  }
  const std::uint64_t made = co_await counted;
  const double seconds = kaon::bench::seconds_between(start, Clock::now());
  const std::uint64_t expected = static_cast<std::uint64_t>(tokens) * static_cast<std::uint64_t>(hops);
  if (made != expected) throw std::logic_error(fmt::format("{} hops were made, not {}", made, expected));
  co_return seconds;
}

kaon::Task<void> measure(Field field, int tokens, double milliseconds) {
  int hops = std::max(5, 5000 / tokens);
  double seconds = co_await time_of(field, tokens, hops);
  for (const double share : {0.2, 1.0}) {  // the first is warm-up and a better estimate
    hops = kaon::bench::repetitions_for(share * milliseconds / 1e3, hops, seconds);
    seconds = co_await time_of(field, tokens, hops);
  }
  kaon::bench::print_measurement(fmt::format("walk of {} tokens", tokens), 1e-6 * tokens * hops / seconds, "M/s");
}

kaon::Task<int> walk(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int elements = 10'000;
  std::vector<int> tokens{64};
  double milliseconds = 150;
  kaon::bench::CommandLine app("Hops a second of tokens on random walks over an array");
  app.number("--elements", elements, 1, 100'000'000);
  app.number("--tokens", tokens, 1, 10'000'000);
  app.number("--milliseconds", milliseconds, 1.0, 1e5, "of each count of tokens");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  Field field;
  field.ends = co_await runtime.create_group<End>();
  field.stations = co_await runtime.create<Station>(elements, field.ends);
  for (const int count : tokens) co_await measure(field, count, milliseconds);
  co_return 0;
}

}  // namespace walk

int main(int argc, char** argv) { return kaon::run(argc, argv, walk::walk); }

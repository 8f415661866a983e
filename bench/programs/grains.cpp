// SPDX-License-Identifier: Apache-2.0
// Messages of a few bytes to random elements on other PEs, each caused by another: tokens that hop from element to
// element until they have made their hops. Once sent directly, once by an entry whose messages are aggregated.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/measurement.hpp"
#include "bench/programs/random.hpp"

namespace grains {

using kaon::bench::Clock;

/// The first byte counts the hops that are left.
template <std::size_t Bytes>
using Grain = std::array<std::uint8_t, Bytes>;

template <std::size_t Bytes, bool IsAggregated>
class Station : public kaon::Chare<Station<Bytes, IsAggregated>> {
 public:
  Station() : random_(static_cast<std::uint64_t>(this->index().x) * 2654435761u) {}

  void start(int tokens, std::uint8_t hops) {
    Grain<Bytes> grain{};
    grain[0] = static_cast<std::uint8_t>(hops - 1);
    for (int token = 0; token < tokens; ++token) pass(grain);
  }
  void hop(Grain<Bytes> grain) {
    ++taken_;
    if (grain[0]-- > 0) pass(grain);
  }
  std::uint64_t taken() { return std::exchange(taken_, 0); }

  using aggregated = std::conditional_t<IsAggregated, kaon::Entries<&Station::hop>, kaon::Entries<>>;

 private:
  /// Elements lie in blocks of one size.
  void pass(const Grain<Bytes>& grain) {
    const auto pes = static_cast<int>(kaon::this_runtime().pes());
    const int count = this->array().shape().x, block = count / pes;
    random_ = kaon::bench::next_random(random_);
    const int next = pes == 1 ? kaon::bench::pick(random_, count)
                              : (static_cast<int>(this->pe()) + 1) * block + kaon::bench::pick(random_, count - block);
    kaon::send<&Station::hop>(this->array()[next < count ? next : next - count], grain);
  }

  std::uint64_t random_;
  std::uint64_t taken_ = 0;
};

struct Load {
  int elements = 2'000;  // on each PE
  int tokens = 10;       // of each element
  int hops = 250;
  int rounds = 3;
};

template <std::size_t Bytes, bool IsAggregated>
kaon::Task<void> measure(kaon::Runtime& runtime, Load load) {
  using Own = Station<Bytes, IsAggregated>;
  const int count = load.elements * static_cast<int>(runtime.pes());
  const auto stations = co_await runtime.create<Own>(count);
  double best = 0;
  for (int round = 0; round < load.rounds; ++round) {
    const auto start = Clock::now();
    stations.template broadcast<&Own::start>(load.tokens, static_cast<std::uint8_t>(load.hops));
    co_await runtime.quiescence();
    const double seconds = kaon::bench::seconds_between(start, Clock::now());
    const std::uint64_t taken = co_await stations.template call_all<&Own::taken>(kaon::sum);
    const std::uint64_t sent = static_cast<std::uint64_t>(count) * load.tokens * load.hops;
    if (taken != sent) throw std::logic_error(fmt::format("{} of {} messages arrived before quiescence", taken, sent));
    best = std::max(best, 1e-6 * static_cast<double>(sent) / seconds);
  }
  kaon::bench::print_measurement(fmt::format("{} B {}", Bytes, IsAggregated ? "aggregated" : "direct"), best, "M/s");
  co_await stations.destroy_and_wait();
}

template <std::size_t Bytes>
kaon::Task<void> measure_both(kaon::Runtime& runtime, Load load) {
  co_await measure<Bytes, false>(runtime, load);
  co_await measure<Bytes, true>(runtime, load);
}

kaon::Task<int> grains(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Load load;
  std::vector<int> sizes{1, 16, 256};
  CLI::App app("Small messages to random elements, direct and aggregated");
  app.add_option("--sizes", sizes)->delimiter(',')->check(CLI::IsMember({1, 16, 256}));
  app.add_option("--elements", load.elements, "on each PE")->check(CLI::Range(1, 10'000'000));
  app.add_option("--tokens", load.tokens, "of each element")->check(CLI::Range(1, 10'000'000));
  app.add_option("--hops", load.hops, "of each token")->check(CLI::Range(1, 255));
  app.add_option("--rounds", load.rounds, "of which the best counts")->check(CLI::Range(1, 1000));
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  for (const int size : sizes) {
    if (size == 1) co_await measure_both<1>(runtime, load);
    if (size == 16) co_await measure_both<16>(runtime, load);
    if (size == 256) co_await measure_both<256>(runtime, load);
  }
  co_return 0;
}

}  // namespace grains

int main(int argc, char** argv) { return kaon::run(argc, argv, grains::grains); }

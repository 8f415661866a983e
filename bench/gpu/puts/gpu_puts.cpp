// SPDX-License-Identifier: Apache-2.0
// Puts that kernels start between two devices of one process: Kaon's, and the same by hand with CUDA alone, in turns.
// One way is the time there and back less that of the answer, which is a store; medians of rounds.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/gpu/puts/own_puts.hpp"
#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace put_bench {
namespace {

struct Options {
  std::vector<std::size_t> sizes{8, 64 << 10, 1 << 20, 64 << 20};
  std::uint32_t rounds = 5, posts = 1000, flood = 100'000;
  bool is_alone = false;
};

// The floor has no more, and large puts take memory.
std::uint32_t puts_of(std::size_t bytes) { return bytes > std::size_t{1} << 20 ? 4 : 16; }
constexpr std::uint32_t kMostDirect = 100;  // starts of a launch

double quantile(std::vector<double> values, double share) {
  if (values.empty()) throw std::runtime_error("no put came");
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

/// The times of one contender in each round.
struct Contender {
  std::string name;
  std::vector<double> medians{}, means{}, p99s{}, worst{};
  void add(const Times& times) {
    constexpr std::size_t kWarmUp = 10;
    if (times.wrong != 0)
      throw std::runtime_error(fmt::format("{}: {} puts came wrong or not at all within 2 s", name, times.wrong));
    const std::vector<double> ns(times.ns.begin() + kWarmUp, times.ns.end());
    medians.push_back(quantile(ns, 0.5));
    means.push_back(std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size()));
    p99s.push_back(quantile(ns, 0.99));
    worst.push_back(quantile(ns, 1));
  }
};

void print(const std::string& what, const Contender& contender, double less_ns) {
  if (contender.medians.empty()) return;
  const auto print_one = [&](const char* kind, const std::vector<double>& ns) {
    kaon::bench::print_measurement(fmt::format("{}, {}, {}", what, contender.name, kind),
                                   (quantile(ns, 0.5) - less_ns) / 1e3, "us");
  };
  print_one("median", contender.medians);
  print_one("mean", contender.means);
  print_one("p99", contender.p99s);
  print_one("worst", contender.worst);
}

class Measurement {
 public:
  Measurement(kaon::Proxy<Player> players, const Options& options) : players_(players), options_(options) {}

  kaon::Task<> measure(std::size_t bytes) {
    const std::uint32_t puts = puts_of(bytes);
    sender_ = co_await players_[0].call<&Player::prepare>(bytes, puts);
    receiver_ = co_await players_[1].call<&Player::prepare>(bytes, puts);
    std::optional<FloorPuts> floor;
    if (!options_.is_alone) floor.emplace(bytes, puts);
    co_await one_way(bytes, floor);
    if (bytes <= std::size_t{1} << 20) co_await in_a_row(bytes, floor);
  }

 private:
  kaon::Task<> one_way(std::size_t bytes, std::optional<FloorPuts>& floor) {
    Contender floor_direct{"by hand, the kernel starts"}, direct{"Kaon, the kernel starts"},
        floor_ring{"by hand, ring"}, ring{"Kaon, ring"}, host_ring{"Kaon, ring, the host starts"};
    std::vector<double> stores{0};
    const std::uint32_t posts = bytes > std::size_t{1} << 20 ? std::min(options_.posts, 200u) : options_.posts;
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      ring.add(co_await post(Way::ring, posts));
      host_ring.add(co_await post(Way::host_ring, posts));
      if (!floor) continue;
      if (round == 0) stores.clear();
      stores.push_back(quantile(floor->store(1000).ns, 0.5) / 2);
      floor_direct.add(floor->post_directly(kMostDirect));
      direct.add(co_await post(Way::direct, kMostDirect));
      floor_ring.add(floor->post_by_ring(posts));
    }
    const std::string size = kaon::bench::size_name(bytes);
    for (const Contender* each : {&floor_direct, &direct, &floor_ring, &ring, &host_ring})
      print(size + " one way", *each, quantile(stores, 0.5));
  }
  kaon::Task<> in_a_row(std::size_t bytes, std::optional<FloorPuts>& floor) {
    Contender by_hand{"by hand, ring"}, own{"Kaon, ring"}, by_host{"Kaon, ring, the host starts"};
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      if (floor) by_hand.add(floor->flood(options_.flood));
      own.add(co_await flood(Way::ring));
      by_host.add(co_await flood(Way::host_ring));
    }
    const std::string size = kaon::bench::size_name(bytes);
    for (const Contender* each : {&by_hand, &own, &by_host}) print(size + " in a row", *each, 0);
  }

  kaon::Task<Times> post(Way way, std::uint32_t count) {
    co_await players_[1].call<&Player::clear>();
    co_await players_[0].call<&Player::begin>(way, receiver_, count);
    const auto [ns, wrong] =
        co_await kaon::all(players_[0].call<&Player::post>(count), players_[1].call<&Player::answer>(sender_, count));
    Times times;
    times.ns.assign(ns.begin(), ns.end());
    times.wrong = wrong;
    co_return times;
  }
  kaon::Task<Times> flood(Way way) {
    co_await players_[1].call<&Player::clear>();
    co_await players_[0].call<&Player::begin>(way, receiver_, 1);
    const auto [sent, came] = co_await kaon::all(players_[0].call<&Player::flood>(options_.flood),
                                                 players_[1].call<&Player::note_times>(options_.flood));
    static_cast<void>(sent);
    Times gaps = gaps_of(came);
    co_return gaps;
  }

  kaon::Proxy<Player> players_;
  Options options_;
  Offer sender_, receiver_;
};

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app(
      "Puts that kernels start between two devices of one process (--pes 2), beside the same by hand");
  app.sizes(options.sizes, "bytes of puts; multiples of 4");
  app.number("--rounds", options.rounds, 1, 100);
  app.number("--posts", options.posts, 20, 100'000, "one after the other");
  app.number("--flood", options.flood, 100, 1'000'000, "in a row");
  app.flag("--alone", options.is_alone, "Kaon's rings alone, which the emulation has, too");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  if (runtime.pes() != 2) throw kaon::UsageError("gpu_puts takes two PEs of one process, each with a device: --pes 2");
  for (const std::size_t bytes : options.sizes)
    if (bytes % 4 != 0) throw kaon::UsageError(fmt::format("gpu_puts: {} bytes; sizes are multiples of 4", bytes));
  const auto players = co_await runtime.create<Player>(2);
  Measurement measurement(players, options);
  for (const std::size_t bytes : options.sizes) co_await measurement.measure(bytes);
  co_return 0;
}

}  // namespace
}  // namespace put_bench

// Kernels that are loaded at their first launch would wait for those that run.
int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  return kaon::run(argc, argv, put_bench::bench, kaon::with_devices);
}

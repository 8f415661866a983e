// SPDX-License-Identifier: Apache-2.0
// Latency from element to element, one way: half of a round trip between an element on the first PE and one on the
// last.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace {

using Bytes = std::vector<std::byte>;
using Ball = kaon::Payload<std::byte>;
using kaon::bench::Clock;

constexpr int kFirstTry = 50;  // round trips
constexpr int kWindows = 3;    // of each point: the median counts

struct Finished {
  double seconds;
};

}  // namespace

namespace pingpong {

enum class Kind { number, argument, payload, landing };

class Player : public kaon::Chare<Player> {
 public:
  kaon::Inbox<Finished> finished;

  void prepare(int partner, std::uint64_t bytes) {
    partner_ = array()[partner];
    landing_.resize(bytes);
  }

  // The one that serves counts; the other one gives back what comes.
  void number(std::uint64_t value) {
    if (counts_one()) partner_.send<&Player::number>(value);
  }
  void argument(Bytes ball) {
    if (counts_one()) partner_.send<&Player::argument>(std::move(ball));
  }
  void payload(Ball ball) {
    if (counts_one()) partner_.send<&Player::payload>(std::move(ball));
  }
  void landing(Ball ball) {
    if (counts_one()) partner_.send<&Player::landing>(std::move(ball));
  }
  kaon::Landing post(kaon::PostFor<&Player::landing>, const Ball&) {
    return kaon::Landing::into(std::span<std::byte>(landing_));
  }

  /// Seconds of so many round trips.
  kaon::Task<double> serve(int kind, int round_trips) {
    left_ = round_trips;
    start_ = Clock::now();
    strike(static_cast<Kind>(kind));
    const Finished result = co_await finished.next();
    co_return result.seconds;
  }

 private:
  bool counts_one() {
    if (left_ == kGivesBack) return true;
    if (--left_ > 0) return true;
    left_ = kGivesBack;
    self().send<&Player::finished>(kaon::bench::seconds_between(start_, Clock::now()));
    return false;
  }
  void strike(Kind kind) {
    switch (kind) {
      case Kind::number:
        return partner_.send<&Player::number>(std::uint64_t{1});
      case Kind::argument:
        return partner_.send<&Player::argument>(Bytes(landing_.size()));
      case Kind::payload:
        return partner_.send<&Player::payload>(Ball(Bytes(landing_.size())));
      case Kind::landing:
        return partner_.send<&Player::landing>(Ball(Bytes(landing_.size())));
    }
  }

  static constexpr int kGivesBack = -1;
  kaon::Element<Player> partner_;
  Bytes landing_;
  int left_ = kGivesBack;
  Clock::time_point start_;
};

struct Options {
  std::vector<std::size_t> sizes{8, 1024, 65536, 1 << 20, 4 << 20};
  double milliseconds = 60;  // of each point
};

kaon::Task<int> measure(kaon::Proxy<Player> players, Kind kind, std::size_t bytes, double milliseconds) {
  const int last = players.shape().x - 1;
  co_await players[0].call<&Player::prepare>(last, bytes);
  co_await players[last].call<&Player::prepare>(0, bytes);
  const int which = static_cast<int>(kind);
  int round_trips = kFirstTry;
  double seconds = co_await players[0].call<&Player::serve>(which, round_trips);
  std::array<double, kWindows> times{};
  for (double& us : times) {  // the first try was warm-up, and each window a better estimate
    round_trips = kaon::bench::repetitions_for(milliseconds / 1e3 / kWindows, round_trips, seconds);
    seconds = co_await players[0].call<&Player::serve>(which, round_trips);
    us = seconds * 1e6 / (2.0 * round_trips);
  }
  std::sort(times.begin(), times.end());
  static constexpr const char* kNames[] = {"", " argument", " payload", " payload into a landing"};
  kaon::bench::print_measurement(kaon::bench::size_name(bytes) + kNames[which], times[kWindows / 2], "us");
  co_return 0;
}

kaon::Task<int> pingpong(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("Latency between an element on the first PE and one on the last");
  app.number("--sizes", options.sizes, 1, std::size_t{1} << 32, "bytes of arguments and payloads");
  app.milliseconds(options.milliseconds);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  const int count = std::max(2, static_cast<int>(runtime.pes()));
  kaon::Proxy<Player> players = co_await runtime.create<Player>(count);
  co_await measure(players, Kind::number, 8, options.milliseconds);
  for (const std::size_t bytes : options.sizes)
    for (const Kind kind : {Kind::argument, Kind::payload, Kind::landing})
      co_await measure(players, kind, bytes, options.milliseconds);
  co_return 0;
}

}  // namespace pingpong

int main(int argc, char** argv) { return kaon::run(argc, argv, pingpong::pingpong); }

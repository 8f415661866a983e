// SPDX-License-Identifier: Apache-2.0
// Bulk data thrown to and fro between the first PE and the last, in two patterns. Fixed: what arrives is dropped, and
// another buffer, that nobody touched, leaves. Handed on: what arrives is modified and sent on, as programs do. One
// ball gives a latency; a window of balls from each end, what both directions carry at once.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/modify.hpp"

namespace exchange {

using Words = std::vector<std::uint64_t>;
using Ball = kaon::Payload<std::uint64_t>;
using kaon::bench::Clock;

struct Done {
  double seconds;
};

/// What is played: an aggregate, it travels in messages.
struct Game {
  bool is_argument;  // of the entry, else a payload
  bool is_handed_on;
  int balls;   // that this end throws first
  int throws;  // of each, an even number: it ends where it began
};

class Player : public kaon::Chare<Player> {
 public:
  kaon::Inbox<Done> done;

  void prepare(int partner, std::uint64_t words) {
    partner_ = array()[partner];
    own_.assign(words, 0);
  }

  void payload(int left, bool is_handed_on, Ball ball) {
    if (is_handed_on) kaon_bench_modify(ball.view().data(), ball.size());
    if (left == 0) return end_of(is_handed_on, ball.view());
    if (is_handed_on) return partner_.send<&Player::payload>(left - 1, true, std::move(ball));
    ball = Ball();  // first: its block is the one that the next takes
    partner_.send<&Player::payload>(left - 1, false, Ball::uninitialized(own_.size()));
  }

  void argument(int left, bool is_handed_on, Words ball) {
    if (is_handed_on) kaon_bench_modify(ball.data(), ball.size());
    if (left == 0) return end_of(is_handed_on, ball);
    if (is_handed_on) return partner_.send<&Player::argument>(left - 1, true, std::move(ball));
    partner_.send<&Player::argument>(left - 1, false, own_);
  }

  /// Seconds until all balls of this end are back for good.
  kaon::Task<double> play(Game game) {
    to_end_ = game.balls;
    throws_ = game.throws;
    const auto start = Clock::now();
    for (int i = 0; i < game.balls; ++i) {
      if (game.is_argument)
        partner_.send<&Player::argument>(game.throws - 1, game.is_handed_on, own_);
      else
        partner_.send<&Player::payload>(game.throws - 1, game.is_handed_on, Ball::copy_of(own_));
    }
    if (game.balls > 0) co_await done.next();
    co_return kaon::bench::seconds_between(start, Clock::now());
  }

 private:
  /// Each throw has added 1 to each word of what was handed on.
  void end_of(bool is_handed_on, std::span<const std::uint64_t> ball) {
    const auto expected = static_cast<std::uint64_t>(throws_);
    if (is_handed_on && (ball.front() != expected || ball.back() != expected))
      throw std::logic_error(
          fmt::format("a ball came back as {} and {}, not as {}", ball.front(), ball.back(), expected));
    if (--to_end_ == 0) self().send<&Player::done>(0.0);
  }

  kaon::Element<Player> partner_;
  Words own_;
  int to_end_ = 0;
  int throws_ = 0;
};

struct Options {
  std::vector<std::size_t> sizes{64 << 10, 1 << 20, 4 << 20};
  double milliseconds = 40;  // of each point
  int window = 8;
};

constexpr int kWindows = 3;  // of each point: the median counts

/// Seconds of a throw. One ball is thrown by the first player alone.
kaon::Task<double> seconds_of_a_throw(kaon::Proxy<Player> players, Game game, double milliseconds) {
  const bool is_both_ways = game.balls > 1;
  game.throws = 4;
  std::array<double, kWindows + 1> times{};
  double seconds = 0;
  for (double& time : times) {  // the first is warm-up, and each a better estimate for the next
    if (is_both_ways)
      seconds = co_await players.call_all<&Player::play>(kaon::max, game);
    else
      seconds = co_await players[0].call<&Player::play>(game);
    time = seconds / game.throws;
    game.throws =
        kaon::bench::repetitions_for(milliseconds / 1e3 / kWindows, game.throws, seconds, 1'000'000) / 2 * 2 + 2;
  }
  std::sort(times.begin() + 1, times.end());
  co_return times[1 + kWindows / 2];
}

kaon::Task<void> measure(kaon::Proxy<Player> players, const Options& options, std::size_t bytes) {
  const int last = players.shape().x - 1;
  const std::uint64_t words = bytes / sizeof(std::uint64_t);
  co_await players[0].call<&Player::prepare>(last, words);
  co_await players[last].call<&Player::prepare>(0, words);
  for (const bool is_argument : {false, true})
    for (const bool is_handed_on : {false, true}) {
      const std::string name = fmt::format("{} {} {}", is_handed_on ? "handed on" : "fixed",
                                           kaon::bench::size_name(bytes), is_argument ? "argument" : "payload");
      const Game one{is_argument, is_handed_on, 1, 0}, both{is_argument, is_handed_on, options.window, 0};
      const double latency = co_await seconds_of_a_throw(players, one, options.milliseconds);
      kaon::bench::print_measurement("one ball " + name, latency * 1e6, "us");
      const double each = co_await seconds_of_a_throw(players, both, options.milliseconds);
      const double moved = 2e-9 * static_cast<double>(bytes) * options.window;
      kaon::bench::print_measurement("both ways " + name, moved / each, "GB/s");
    }
}

kaon::Task<int> exchange(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app(
      "Bulk data to and fro between the first PE and the last, fixed or modified and handed on");
  app.sizes(options.sizes, "bytes of a ball");
  app.milliseconds(options.milliseconds);
  app.number("--window", options.window, 2, 1000, "balls of each end");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  if (runtime.pes() < 2) {
    fmt::print(stderr, "exchange: needs two PEs, as with --pes 2 or kaonrun -n 2\n");
    co_return 2;
  }
  const kaon::Proxy<Player> players = co_await runtime.create<Player>(2);
  for (const std::size_t bytes : options.sizes) co_await measure(players, options, bytes);
  co_return 0;
}

}  // namespace exchange

int main(int argc, char** argv) { return kaon::run(argc, argv, exchange::exchange); }

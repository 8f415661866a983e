// SPDX-License-Identifier: Apache-2.0
// From the end of a kernel that has written a round of a channel to the start of the one that waits for it, between the
// first PE and the last. Rounds go to and fro; a hop is one kernel, or one entry of a resident kernel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/channel.kernels.hpp"
#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace channel {

using kaon::bench::Clock;

/// Who waits for a round.
enum class Way : std::uint8_t { task, stream, entry };
constexpr std::array<Way, 3> kWays{Way::task, Way::stream, Way::entry};
constexpr std::array<const char*, 3> kNames{"launched, tasks wait", "launched, streams wait", "resident"};

/// Parts of the gang that moves so much, and threads of each.
constexpr unsigned kThreads = 256, kMostParts = 64;
unsigned parts_for(std::size_t bytes) {
  constexpr std::size_t kBytesOfPart = std::size_t{16} << 10;
  return static_cast<unsigned>(std::clamp<std::size_t>(bytes / kBytesOfPart, 1, kMostParts));
}

using Players = kaon::gpu::Resident<Entries>;

class Player : public kaon::Chare<Player> {
 public:
  kaon::Inbox<kaon::gpu::ChannelOffer> offers;

  /// Returns the parts of its gang.
  kaon::Task<unsigned> connect(int partner, std::uint64_t words, Way way) {
    way_ = way;
    words_ = words;
    if (way == Way::entry) begin_scheduler();
    if (way == Way::entry)
      channel_.emplace(words, stream_, parts_);
    else
      channel_.emplace(words, stream_, kaon::gpu::DrivenBy::host);
    kaon::gpu::ChannelOffer offer = co_await channel_->offer();
    array()[partner].send<&Player::offers>(std::move(offer));
    channel_->connect(co_await offers.next());
    round_ = 0;
    if (way == Way::entry) co_await place_side();
    co_return parts_;
  }
  /// Seconds of so many hops of one's own and as many of the partner's.
  kaon::Task<double> hop(std::uint32_t rounds) {
    const auto start = Clock::now();
    const std::uint32_t first = round_ + 1;
    round_ += rounds;
    if (way_ == Way::entry)
      co_await players_->call(side_, BeginHop{first, round_});
    else
      for (std::uint32_t round = first; round <= round_; ++round) co_await launch(round);
    if (way_ != Way::entry) co_await stream_.drained();
    co_return kaon::bench::seconds_between(start, Clock::now());
  }
  /// Whether each hop has added 1, when both have ended theirs.
  kaon::Task<bool> is_right() {
    kaon::gpu::Pinned<std::uint64_t> seen(words_, stream_);
    stream_.copy(seen, kaon::gpu::Span<const std::uint64_t>(channel_->end().in(round_), words_));
    co_await stream_.drained();
    const std::uint64_t expected = 2 * std::uint64_t{round_} - 1 + lag();
    co_return std::all_of(seen.span().begin(), seen.span().end(), [=](std::uint64_t word) { return word == expected; });
  }
  /// Both at once.
  kaon::Task<> close() {
    if (way_ != Way::entry) co_await channel_->close();
    players_.reset();
    channel_.reset();
  }

 private:
  std::uint32_t lag() const { return index().x == 0 ? 1 : 0; }

  kaon::Task<> launch(std::uint32_t round) {
    const std::uint32_t from = round - lag();
    if (way_ == Way::task)
      co_await channel_->ready(stream_, from);
    else
      channel_->wait(stream_, from);
    stream_.for_each(words_, AddOne{channel_->end(), from, round});
    channel_->raise(stream_);
    constexpr std::uint32_t kAhead = 64;  // rounds that the host may be before the device
    if (way_ == Way::stream && round % kAhead == 0) co_await stream_.drained();
  }
  void begin_scheduler() {
    parts_ = std::min(parts_for(words_ * sizeof(std::uint64_t)), Players::most_workers(kThreads));
    kaon::gpu::ResidentOptions options;
    options.workers = parts_;
    options.threads = kThreads;
    players_ = std::make_unique<Players>(options);
  }
  kaon::Task<> place_side() {
    const kaon::gpu::Pinned<kaon::gpu::AwaitedFlag> before(1, stream_);
    before[0] = channel_->awaited();
    stream_.copy(before_.span(), before);
    co_await stream_.drained();
    side_ = co_await players_->make_gang(parts_, Side{channel_->end(), lag(), {before_.data(), 1}});
  }

  Way way_ = Way::task;
  std::uint64_t words_ = 0;
  unsigned parts_ = 1;
  std::uint32_t round_ = 0;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<kaon::gpu::AwaitedFlag> before_{1, stream_};
  std::optional<kaon::gpu::Channel<std::uint64_t>> channel_;
  std::unique_ptr<Players> players_;  // goes before what its entries use
  kaon::gpu::DeviceObject<Side> side_;
};

struct Options {
  std::vector<std::size_t> sizes{8, 128 << 10, 1 << 20};
  double milliseconds = 60;  // of each point
};

constexpr int kWindows = 3;  // of each point: the median counts

kaon::Task<double> seconds_of(kaon::Proxy<Player> players, int rounds) {
  const auto count = static_cast<std::uint32_t>(rounds);
  const auto [one, other] =
      co_await kaon::all(players[0].call<&Player::hop>(count), players[1].call<&Player::hop>(count));
  co_return std::max(one, other);
}

kaon::Task<> measure(kaon::Proxy<Player> players, const Options& options, std::size_t bytes, std::size_t way) {
  const std::uint64_t words = bytes / sizeof(std::uint64_t);
  co_await kaon::all(players[0].call<&Player::connect>(1, words, kWays[way]),
                     players[1].call<&Player::connect>(0, words, kWays[way]));
  int rounds = 2;
  double seconds = co_await seconds_of(players, rounds);
  std::array<double, kWindows> times{};
  for (double& time : times) {  // the first try was warm-up, and each window a better estimate
    rounds = kaon::bench::repetitions_for(options.milliseconds / 1e3 / kWindows, rounds, seconds, 1'000'000);
    seconds = co_await seconds_of(players, rounds);
    time = seconds / (2.0 * rounds);
  }
  for (const int i : {0, 1})
    if (!co_await players[i].call<&Player::is_right>()) throw std::logic_error("hops did not add up");
  co_await kaon::all(players[0].call<&Player::close>(), players[1].call<&Player::close>());
  std::sort(times.begin(), times.end());
  kaon::bench::print_measurement("channel " + std::string(kNames[way]) + ", " + kaon::bench::size_name(bytes) + " hop",
                                 times[kWindows / 2] * 1e6, "us");
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("Rounds of a channel behind a producing and before a consuming kernel");
  app.sizes(options.sizes, "bytes of a round");
  app.milliseconds(options.milliseconds);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const kaon::Proxy<Player> players = co_await runtime.create<Player>(2);
  for (const std::size_t bytes : options.sizes)
    for (std::size_t way = 0; way < kWays.size(); ++way) co_await measure(players, options, bytes, way);
  co_return 0;
}

}  // namespace channel

int main(int argc, char** argv) { return kaon::run(argc, argv, channel::bench, kaon::with_devices); }

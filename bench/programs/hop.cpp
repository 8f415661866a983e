// SPDX-License-Identifier: Apache-2.0
// Device memory as programs send it: a kernel has just made it, and a kernel at the other end waits for it. It goes to
// and fro between the first PE and the last; a hop is one kernel and one payload.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/hop.kernels.hpp"
#include "bench/programs/measurement.hpp"

namespace hop {

using Ball = kaon::Payload<std::uint64_t>;
using kaon::bench::Clock;

struct Landed {
  std::uint64_t first, last;  // words of the last ball: each hop added 1
};

class Player : public kaon::Chare<Player> {
 public:
  kaon::Inbox<Landed> landed;

  kaon::Task<void> prepare(int partner, std::uint64_t words, bool is_carried) {
    partner_ = array()[partner];
    if (is_carried && !carrying_) carrying_.emplace(kaon::gpu::ResidentOptions{.workers = 1, .threads = 256});
    words_ = words;
    landing_ = kaon::gpu::Buffer<std::uint64_t>(words, stream_);
    host_ = kaon::gpu::Pinned<std::uint64_t>(words, stream_);
    co_await stream_.drained();
  }

  void pooled(int left, Ball ball) {
    consume(ball);
    if (left == 0) return self().send<&Player::tell>();
    partner_.send<&Player::pooled>(left - 1, kaon::Payload(std::move(made_), stream_));
  }
  void landing(int left, Ball ball) {
    consume(ball);
    if (left == 0) return self().send<&Player::tell>();
    partner_.send<&Player::landing>(left - 1, kaon::Payload(std::move(made_), stream_));
  }
  kaon::Landing post(kaon::PostFor<&Player::landing>, int, const Ball&) {
    return kaon::Landing::into(landing_.span(), stream_);
  }

  kaon::Task<void> tell() {
    stream_.copy(host_, made_.span());
    co_await stream_.drained();
    self().send<&Player::landed>(Landed{host_[0], host_[words_ - 1]});
  }

  /// Seconds of an even number of hops, the last of which ends here.
  kaon::Task<double> serve(bool lands, int hops) {
    kaon::gpu::Buffer<std::uint64_t> ball(words_, stream_);
    stream_.fill(ball.span(), 0);
    co_await stream_.drained();
    const auto start = Clock::now();
    if (lands)
      partner_.send<&Player::landing>(hops - 1, kaon::Payload(std::move(ball), stream_));
    else
      partner_.send<&Player::pooled>(hops - 1, kaon::Payload(std::move(ball), stream_));
    const Landed result = co_await landed.next();
    const double seconds = kaon::bench::seconds_between(start, Clock::now());
    const auto expected = static_cast<std::uint64_t>(hops);
    if (result.first != expected || result.last != expected)
      throw std::logic_error(fmt::format("{} hops made {} and {} of 0", hops, result.first, result.last));
    co_return seconds;
  }

 private:
  void consume(Ball& ball) {
    made_ = kaon::gpu::Buffer<std::uint64_t>(words_, stream_);
    stream_.for_each(words_, AddOne{made_.data(), ball.view(stream_).data()});
  }

  kaon::Element<Player> partner_;
  kaon::gpu::Stream stream_;
  std::optional<kaon::gpu::Resident<kaon::bench::CarryingEntries>> carrying_;
  kaon::gpu::Buffer<std::uint64_t> landing_, made_;
  kaon::gpu::Pinned<std::uint64_t> host_;
  std::uint64_t words_ = 0;
};

struct Options {
  std::vector<std::size_t> sizes{8, 4096, 128 << 10, 1 << 20};
  double milliseconds = 60;  // of each point
  bool is_carried = false;
};

constexpr int kWindows = 3;  // of each point: the median counts

kaon::Task<void> measure(kaon::Proxy<Player> players, const Options& options, std::size_t bytes, bool lands) {
  int hops = 4;
  double seconds = co_await players[0].call<&Player::serve>(lands, hops);
  std::array<double, kWindows> times{};
  for (double& time : times) {  // the first try was warm-up, and each window a better estimate
    hops = kaon::bench::repetitions_for(options.milliseconds / 1e3 / kWindows, hops, seconds, 1'000'000) / 2 * 2 + 2;
    seconds = co_await players[0].call<&Player::serve>(lands, hops);
    time = seconds / hops;
  }
  std::sort(times.begin(), times.end());
  kaon::bench::print_measurement(kaon::bench::size_name(bytes) + (lands ? " hop into a landing" : " hop"),
                                 times[kWindows / 2] * 1e6, "us");
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("Payloads in device memory behind a producing and before a consuming kernel");
  app.sizes(options.sizes, "bytes of payloads");
  app.milliseconds(options.milliseconds);
  app.flag("--carried", options.is_carried, "with resident schedulers, which carry small payloads");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const kaon::Proxy<Player> players = co_await runtime.create<Player>(2);
  for (const std::size_t bytes : options.sizes) {
    const std::uint64_t words = bytes / sizeof(std::uint64_t);
    co_await players[0].call<&Player::prepare>(1, words, options.is_carried);
    co_await players[1].call<&Player::prepare>(0, words, options.is_carried);
    for (const bool lands : {false, true}) co_await measure(players, options, bytes, lands);
  }
  co_return 0;
}

}  // namespace hop

int main(int argc, char** argv) { return kaon::run(argc, argv, hop::bench, kaon::with_devices); }

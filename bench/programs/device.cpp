// SPDX-License-Identifier: Apache-2.0
// Latency and bandwidth of device memory from entry to entry, in the manner of the OSU micro-benchmarks: between two
// elements of the first PE, or between the first PE and the last.
//
// Latency: half of a round trip of one payload, given back as it came, or into landings. Bandwidth: a window of
// payloads one way (or both), then an empty answer. All streams are drained before.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/device.kernels.hpp"
#include "bench/programs/measurement.hpp"

namespace device_bench {

using Ball = kaon::Payload<std::byte>;
using kaon::bench::Clock;

struct Finished {
  double seconds;
};

class Player : public kaon::Chare<Player> {
 public:
  kaon::Inbox<Finished> finished;
  kaon::Inbox<Finished> answers;

  kaon::Task<void> prepare(int partner, std::uint64_t bytes, bool is_carried) {
    partner_ = array()[partner];
    if (is_carried && !carrying_) carrying_.emplace(kaon::gpu::ResidentOptions{.workers = 1, .threads = 256});
    bytes_ = bytes;
    landing_ = kaon::gpu::Buffer<std::byte>(bytes, stream_);
    stream_.fill(landing_.span(), 1);
    co_await stream_.drained();
  }

  // The one that serves counts; the other one gives back what comes.
  void pooled(Ball ball) {
    if (counts_one()) partner_.send<&Player::pooled>(std::move(ball));
  }
  void landing(Ball) {
    if (counts_one()) strike(true);
  }
  kaon::Landing post(kaon::PostFor<&Player::landing>, const Ball&) {
    return kaon::Landing::into(landing_.span(), stream_);
  }

  /// Seconds of so many round trips.
  kaon::Task<double> serve(bool lands, int round_trips) {
    left_ = round_trips;
    start_ = Clock::now();
    strike(lands);
    const Finished result = co_await finished.next();
    co_return result.seconds;
  }

  // --- bandwidth
  void take(int left, Ball) {
    if (left == 0) partner_.send<&Player::answers>(Finished{0});
  }

  /// Seconds of so many windows.
  kaon::Task<double> flood(int windows, int window) {
    const auto start = Clock::now();
    for (int i = 0; i < windows; ++i) {
      for (int left = window; left-- > 0;) partner_.send<&Player::take>(left, ball());
      co_await answers.next();
    }
    co_return kaon::bench::seconds_between(start, Clock::now());
  }

 private:
  bool counts_one() {
    if (left_ == kGivesBack) return true;
    if (--left_ > 0) return true;
    left_ = kGivesBack;
    self().send<&Player::finished>(kaon::bench::seconds_between(start_, Clock::now()));
    return false;
  }
  Ball ball() { return Ball(kaon::gpu::Buffer<std::byte>(bytes_, stream_), stream_); }
  void strike(bool lands) {
    if (lands)
      partner_.send<&Player::landing>(ball());
    else
      partner_.send<&Player::pooled>(ball());
  }

  static constexpr int kGivesBack = -1;
  kaon::Element<Player> partner_;
  kaon::gpu::Stream stream_;
  std::optional<kaon::gpu::Resident<kaon::bench::CarryingEntries>> carrying_;
  kaon::gpu::Buffer<std::byte> landing_;
  std::uint64_t bytes_ = 0;
  int left_ = kGivesBack;
  Clock::time_point start_;
};

struct Options {
  std::vector<std::size_t> sizes{8, 64, 4096, 65536, 1 << 20, 4 << 20, 64 << 20, 256 << 20};
  double milliseconds = 60;  // of each point
  int window = 64;
  std::string only;  // rows with this in their names
  bool is_carried = false;
};

constexpr int kWindows = 3;  // of each point: the median counts

/// The median of a few windows of `measure(repetitions)`, in seconds for one repetition.
template <class Measure>
kaon::Task<double> median(double milliseconds, Measure measure) {
  int repetitions = 2;  // of the largest payloads through the host more would take a minute
  double seconds = co_await measure(repetitions);
  std::array<double, kWindows> times{};
  for (double& time : times) {  // the first try was warm-up, and each window a better estimate
    repetitions = kaon::bench::repetitions_for(milliseconds / 1e3 / kWindows, repetitions, seconds);
    seconds = co_await measure(repetitions);
    time = seconds / repetitions;
  }
  std::sort(times.begin(), times.end());
  co_return times[kWindows / 2];
}

struct Latency {
  kaon::Proxy<Player> players;
  bool lands;
  kaon::Task<double> operator()(int repetitions) const {
    co_return co_await players[0].call<&Player::serve>(lands, repetitions);
  }
};

struct Flood {
  kaon::Proxy<Player> players;
  int last;
  bool both;
  int window;
  kaon::Task<double> operator()(int windows) const {
    if (!both) co_return co_await players[0].call<&Player::flood>(windows, window);
    co_return co_await players.call_all<&Player::flood>(kaon::max, windows, window);
  }
};

int window_of(const Options& options, std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{2} << 30;  // bytes under way
  return static_cast<int>(std::clamp<std::size_t>(kMost / bytes, 2, static_cast<std::size_t>(options.window)));
}

bool is_wanted(const Options& options, const std::string& name) {
  return options.only.empty() || name.find(options.only) != std::string::npos;
}

kaon::Task<void> measure(kaon::Proxy<Player> players, const Options& options, std::size_t bytes) {
  const int last = players.shape().x - 1;
  co_await players[0].call<&Player::prepare>(last, bytes, options.is_carried);
  co_await players[last].call<&Player::prepare>(0, bytes, options.is_carried);
  const std::string size = kaon::bench::size_name(bytes);
  for (const bool lands : {false, true}) {
    const std::string name = size + (lands ? " latency into a landing" : " latency");
    if (!is_wanted(options, name)) continue;
    const Latency latency{players, lands};
    const double seconds = co_await median(options.milliseconds, latency);
    kaon::bench::print_measurement(name, seconds * 1e6 / 2, "us");
  }
  const int window = window_of(options, bytes);
  for (const bool both : {false, true}) {
    const std::string name = size + (both ? " both ways" : " one way");
    if (!is_wanted(options, name)) continue;
    const Flood flood{players, last, both, window};
    const double seconds = co_await median(options.milliseconds, flood);
    const double moved = static_cast<double>(bytes) * window * (both ? 2 : 1);
    kaon::bench::print_measurement(name, moved / seconds / 1e9, "GB/s");
    if (!both) kaon::bench::print_measurement(size + " each message", seconds * 1e6 / window, "us");
  }
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app(
      "Device memory between two elements of the first PE, or between the first PE and the last");
  app.number("--sizes", options.sizes, 1, std::size_t{1} << 32, "bytes of payloads");
  app.milliseconds(options.milliseconds);
  app.number("--window", options.window, 1, 10000, "payloads before an answer");
  app.flag("--carried", options.is_carried, "with resident schedulers, which carry small payloads");
  app.value("--only", options.only, "rows with this in their names");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const kaon::Proxy<Player> players = co_await runtime.create<Player>(2);
  for (const std::size_t bytes : options.sizes) co_await measure(players, options, bytes);
  co_return 0;
}

}  // namespace device_bench

int main(int argc, char** argv) { return kaon::run(argc, argv, device_bench::bench, kaon::with_devices); }

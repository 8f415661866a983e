// SPDX-License-Identifier: Apache-2.0
// What kernels lose beside a resident scheduler that waits, that has parked, or that is busy; and what a call costs
// that finds it parked. In each round all of these take turns in an order of their own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/gpu/interference/gemm.hpp"
#include "bench/gpu/interference/interference.kernels.hpp"
#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/players.hpp"

namespace interference {

using kaon::bench::Clock;
using kaon::bench::print_measurement;
using kaon::bench::seconds_between;
using Players = kaon::gpu::Resident<Entries>;
using Handle = kaon::gpu::DeviceObject<Player>;
using namespace std::chrono_literals;

constexpr int kMatrix = 8192;
constexpr std::size_t kCopied = std::size_t{1} << 28;  // values of each array: 1 GiB
constexpr std::size_t kTable = std::size_t{4} << 20;   // values: 16 MiB, which stay in the L2 cache
constexpr std::size_t kReaders = std::size_t{1} << 18;
constexpr unsigned kWorkers = 16;            // of a scheduler that is called
constexpr int kReadings = 200, kTimes = 40;  // of the table in a kernel; kernels of a sample

enum class Mode { alone, waiting, parked, busy };
constexpr std::array kModeNames{"alone", "beside one that waits", "beside one that has parked",
                                "beside one that is busy"};
constexpr std::array kVictims{"GEMM of 8192^3 in bfloat16", "copy of 1 GiB", "reading 16 MiB in L2"};
using Times = std::array<double, kVictims.size()>;  // of one kernel, us

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Host : public kaon::Chare<Host> {
 public:
  kaon::Task<> begin() {
    const auto count = halves_a_.size();
    stream_.for_each(count, FillHalves{halves_a_.data()});
    stream_.for_each(count, FillHalves{halves_b_.data()});
    stream_.fill(from_.span(), 0);
    stream_.fill(table_.span(), 0);
    for (std::size_t victim = 0; victim < kVictims.size(); ++victim) give(victim);  // all that is loaded lazily is now
    co_await stream_.drained();
  }
  kaon::Task<Times> sample(Mode mode, unsigned workers) {
    if (mode != Mode::alone) co_await start(mode, workers);
    Times times{};
    for (std::size_t victim = 0; victim < kVictims.size(); ++victim) {
      const auto start = Clock::now();
      for (int time = 0; time < kTimes; ++time) give(victim);
      co_await stream_.drained();
      times[victim] = seconds_between(start, Clock::now()) * 1e6 / kTimes;
    }
    if (mode == Mode::busy) co_await stop();
    players_.reset();
    co_return times;
  }
  /// Microseconds of calls, of which each finds the scheduler parked or none does, some time after the one before, in
  /// which the host's core sleeps or has other things to do.
  kaon::Task<double> call(bool parks, bool sleeps, int calls) {
    co_await start(parks ? Mode::parked : Mode::waiting, kWorkers);
    std::vector<double> times;
    for (int i = 0; i < calls; ++i) {
      co_await pause(sleeps);
      const auto start = Clock::now();
      co_await players_->call(objects_[0], Nothing{});
      times.push_back(seconds_between(start, Clock::now()) * 1e6);
    }
    players_.reset();
    co_return median(times);
  }
  /// The same of launches, each until its kernel has said that it runs.
  kaon::Task<double> launch(bool sleeps, int launches) {
    const kaon::gpu::Flag flag(stream_);
    std::vector<double> times;
    for (int i = 0; i < launches; ++i) {
      co_await pause(sleeps);
      const auto start = Clock::now();
      stream_.launch({{kWorkers + 1}, {kaon::gpu::ResidentOptions{}.threads}}, Awake{flag.word()});
      co_await flag.reached(static_cast<std::uint32_t>(i) + 1);
      times.push_back(seconds_between(start, Clock::now()) * 1e6);
    }
    co_await stream_.drained();
    co_return median(times);
  }
  kaon::Inbox<int> over, turns;

 private:
  kaon::Task<> pause(bool sleeps) {
    if (sleeps)
      co_await kaon::this_runtime().sleep_for(3ms);
    else
      co_await do_other_things(3ms);
  }
  kaon::Task<> do_other_things(Clock::duration time) {
    for (const auto until = Clock::now() + time; Clock::now() < until;) {
      self().send<&Host::turns>(1);
      (void)co_await turns.next();
    }
  }
  void give(std::size_t victim) {
    if (victim == 0)
      stream_.give([this](auto native) {
        gemm_.multiply(native, kMatrix, halves_a_.data(), halves_b_.data(), product_.data());
      });
    if (victim == 1) stream_.for_each(from_.size(), Copy{from_.data(), to_.data()});
    if (victim == 2)
      stream_.for_each(kReaders, ReadAgain{table_.data(), sums_.data(), kReaders, table_.size(), kReadings});
  }
  /// Two objects of each worker.
  kaon::Task<> start(Mode mode, unsigned workers) {
    kaon::gpu::ResidentOptions options;
    options.workers = workers;
    options.idle_us = mode == Mode::parked ? 500 : 60e6;
    players_ = std::make_unique<Players>(options);
    const auto over =
        players_->on_host<std::uint32_t>([element = self()](std::uint32_t) { element.send<&Host::over>(1); });
    objects_ = co_await kaon::bench::make_players<Meet>(*players_, 2 * workers, over);
    if (mode == Mode::busy)
      for (const Handle& object : objects_) players_->send(object, Pass{});
    co_await kaon::this_runtime().sleep_for(20ms);
  }
  kaon::Task<> stop() {
    for (const Handle& object : objects_) players_->send(object, Stop{});
    for (std::size_t i = 0; i < objects_.size(); ++i) (void)co_await over.next();
  }

  Gemm gemm_;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<std::uint16_t> halves_a_{std::size_t{kMatrix} * kMatrix, stream_},
      halves_b_{std::size_t{kMatrix} * kMatrix, stream_}, product_{std::size_t{kMatrix} * kMatrix, stream_};
  kaon::gpu::Buffer<float> from_{kCopied, stream_}, to_{kCopied, stream_}, table_{kTable, stream_},
      sums_{kReaders, stream_};
  std::unique_ptr<Players> players_;
  std::vector<Handle> objects_;
};

/// Of each victim: what each round took.
using Samples = std::array<std::vector<double>, kVictims.size()>;

std::string name_of(std::size_t victim, Mode mode, unsigned workers) {
  return fmt::format("{}, {}, {} workers", kVictims[victim], kModeNames[static_cast<std::size_t>(mode)], workers);
}

/// A device that gets warm slows down: each time is compared with the mean of those alone before and behind it.
kaon::Task<> measure(const kaon::Element<Host>& host, unsigned workers, int rounds) {
  std::map<Mode, Samples> samples, ratios;
  std::mt19937 random(workers);
  std::array modes{Mode::waiting, Mode::parked, Mode::busy};
  Times before = co_await host.call<&Host::sample>(Mode::alone, workers);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(modes.begin(), modes.end(), random);
    for (const Mode mode : modes) {
      const Times times = co_await host.call<&Host::sample>(mode, workers);
      const Times behind = co_await host.call<&Host::sample>(Mode::alone, workers);
      for (std::size_t victim = 0; victim < kVictims.size(); ++victim) {
        samples[mode][victim].push_back(times[victim]);
        samples[Mode::alone][victim].push_back(behind[victim]);
        ratios[mode][victim].push_back(2 * times[victim] / (before[victim] + behind[victim]));
      }
      before = behind;
    }
  }
  for (std::size_t victim = 0; victim < kVictims.size(); ++victim)
    for (const auto& [mode, times] : samples) {
      print_measurement(name_of(victim, mode, workers), median(times[victim]), "us");
      if (mode == Mode::alone) continue;
      print_measurement(name_of(victim, mode, workers) + ", more than alone", 100 * (median(ratios[mode][victim]) - 1),
                        "%");
    }
}

kaon::Task<> measure_calls(const kaon::Element<Host>& host, bool sleeps, int calls) {
  const char* const when = sleeps ? "after sleep" : "after other work";
  const double awake = co_await host.call<&Host::call>(false, sleeps, calls);
  const double launch = co_await host.call<&Host::launch>(sleeps, calls);
  const double parked = co_await host.call<&Host::call>(true, sleeps, calls);
  print_measurement(fmt::format("call of an entry, {}", when), awake, "us");
  print_measurement(fmt::format("launch until the kernel says that it runs, {}", when), launch, "us");
  print_measurement(fmt::format("call of an entry that finds the scheduler parked, {}", when), parked, "us");
  print_measurement(fmt::format("way back from parking, {}", when), parked - awake, "us");
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int rounds = 7, calls = 100;
  std::vector<unsigned> workers{1, 16};
  kaon::bench::CommandLine app("What kernels lose beside a resident scheduler");
  app.number("--rounds", rounds, 1, 1000);
  app.number("--calls", calls, 1, 100'000);
  app.number("--workers", workers, 1, 128);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const auto hosts = co_await runtime.create<Host>(1);
  co_await hosts[0].call<&Host::begin>();
  for (const unsigned count : workers) co_await measure(hosts[0], count, rounds);
  for (const bool sleeps : {false, true}) co_await measure_calls(hosts[0], sleeps, calls);
  co_return 0;
}

}  // namespace interference

int main(int argc, char** argv) { return kaon::run(argc, argv, interference::bench, kaon::with_devices); }

// SPDX-License-Identifier: Apache-2.0
// How long it takes until an entry of a device runs, called by a task of the host or sent by another entry; and how
// many a resident kernel runs in a second.
#include <cstdint>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/dispatch.kernels.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/players.hpp"

namespace dispatch {

using kaon::bench::Clock;
using kaon::bench::print_measurement;
using kaon::bench::seconds_between;
using Players = kaon::gpu::Resident<Entries>;
using Handle = kaon::gpu::DeviceObject<Player>;

class Host : public kaon::Chare<Host> {
 public:
  /// Two objects of each worker.
  kaon::Task<> begin(unsigned workers, unsigned threads) {
    kaon::gpu::ResidentOptions options;
    options.workers = workers;
    options.threads = threads;
    players_ = std::make_unique<Players>(options);
    const auto over =
        players_->on_host<std::uint32_t>([element = self()](std::uint32_t) { element.send<&Host::over>(1); });
    objects_ = co_await kaon::bench::make_players<Meet>(*players_, 2 * workers, over);
  }
  /// The kernel may have parked.
  auto wake() { return players_->call(objects_[0], Nothing{}); }

  /// Microseconds from a task to a device entry and back.
  kaon::Task<double> call(int rounds) {
    co_await players_->call(objects_[0], Nothing{});
    const auto start = Clock::now();
    for (int i = 0; i < rounds; ++i) co_await players_->call(objects_[0], Nothing{});
    co_return seconds_between(start, Clock::now()) * 1e6 / rounds;
  }
  /// Microseconds from a device entry to one that another worker runs.
  kaon::Task<double> pass(int rounds) {
    co_await wake();
    const auto start = Clock::now();
    players_->send(objects_[0], Pass{static_cast<std::uint32_t>(rounds)});
    (void)co_await over.next();
    co_return seconds_between(start, Clock::now()) * 1e6 / rounds;
  }
  /// Millions a second, which `chains` of entries send to each other.
  kaon::Task<double> pass_all(std::size_t chains, int rounds) {
    co_await wake();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < chains; ++i) players_->send(objects_[i], Pass{static_cast<std::uint32_t>(rounds)});
    for (std::size_t i = 0; i < chains; ++i) (void)co_await over.next();
    co_return static_cast<double>(chains) * rounds / seconds_between(start, Clock::now()) * 1e-6;
  }
  /// Millions a second, which the host sends.
  kaon::Task<double> send_all(int count) {
    co_await wake();
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) players_->send(objects_[static_cast<std::size_t>(i) % objects_.size()], Nothing{});
    for (const Handle& object : objects_) co_await players_->call(object, Nothing{});
    co_return count / seconds_between(start, Clock::now()) * 1e-6;
  }
  std::size_t objects() { return objects_.size(); }
  kaon::Inbox<int> over;

 private:
  std::unique_ptr<Players> players_;
  std::vector<Handle> objects_;
};

kaon::Task<> measure(const kaon::Element<Host>& host, unsigned workers, int rounds) {
  const std::string who = std::to_string(workers) + (workers == 1 ? " worker" : " workers");
  print_measurement("device entry, call by a task, " + who, co_await host.call<&Host::call>(rounds), "us");
  print_measurement("device entry, sent by another, " + who, co_await host.call<&Host::pass>(10 * rounds), "us");
  const std::size_t chains = co_await host.call<&Host::objects>();
  print_measurement("device entries of " + who + ", by themselves",
                    co_await host.call<&Host::pass_all>(chains, 5 * rounds), "M/s");
  print_measurement("device entries of " + who + ", sent by the host", co_await host.call<&Host::send_all>(50 * rounds),
                    "M/s");
}

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int rounds = 2000;
  unsigned threads = 128;
  std::vector<unsigned> workers{1, 8, 32};
  kaon::bench::CommandLine app("Times of entries that run on a device");
  app.number("--rounds", rounds, 1, 1'000'000);
  app.number("--threads", threads, 1, 1024, "of a worker");
  app.number("--workers", workers, 1, 128);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  for (const unsigned count : workers) {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin>(count, threads);
    co_await measure(hosts[0], count, rounds);
    hosts.destroy();
    co_await runtime.quiescence();
  }
  co_return 0;
}

}  // namespace dispatch

int main(int argc, char** argv) { return kaon::run(argc, argv, dispatch::bench, kaon::with_devices); }

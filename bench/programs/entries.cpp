// SPDX-License-Identifier: Apache-2.0
// How many entries of warps a resident kernel runs in a second, and how long one takes to get to another warp.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/entries.kernels.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/players.hpp"

namespace entries {

using kaon::bench::Clock;
using kaon::bench::print_measurement;
using kaon::bench::seconds_between;
using Players = kaon::gpu::Resident<Entries>;
using Handle = kaon::gpu::DeviceObject<Player>;

class Host : public kaon::Chare<Host> {
 public:
  /// Two objects of each warp.
  kaon::Task<> begin(unsigned blocks, unsigned threads) {
    kaon::gpu::ResidentOptions options;
    options.workers = 0;
    options.warp_blocks = blocks;
    options.threads = threads;
    options.held = 16;
    players_ = std::make_unique<Players>(options);
    const auto over =
        players_->on_host<std::uint32_t>([element = self()](std::uint32_t) { element.send<&Host::over>(1); });
    objects_ = co_await kaon::bench::make_players<Meet>(*players_, 2 * options.warps(), over);
  }
  /// Microseconds from an entry of a warp to one of another.
  kaon::Task<double> pass(int rounds) { co_return 1 / co_await pass_from(1, rounds); }
  /// Millions a second, which all objects send to each other.
  kaon::Task<double> pass_all(int rounds) { co_return co_await pass_from(objects_.size(), rounds); }
  kaon::Inbox<int> over;

 private:
  /// Millions a second of so many chains.
  kaon::Task<double> pass_from(std::size_t chains, int rounds) {
    players_->send(objects_[0], Pass{1});  // the kernel may have parked
    (void)co_await over.next();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < chains; ++i) players_->send(objects_[i], Pass{static_cast<std::uint32_t>(rounds)});
    for (std::size_t i = 0; i < chains; ++i) (void)co_await over.next();
    co_return static_cast<double>(chains) * rounds / seconds_between(start, Clock::now()) * 1e-6;
  }
  std::unique_ptr<Players> players_;
  std::vector<Handle> objects_;
};

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int rounds = 20'000;
  unsigned blocks = 32;
  std::vector<unsigned> warps{4, 8, 16};
  kaon::bench::CommandLine app("Entries of warps that a device runs in a second");
  app.number("--rounds", rounds, 1, 1'000'000);
  app.number("--blocks", blocks, 1, 128);
  app.number("--warps", warps, 1, 32, "of a block");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  for (const unsigned count : warps) {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin>(blocks, count * kaon::gpu::kThreadsOfAWarp);
    const std::string who = std::to_string(blocks) + " blocks of " + std::to_string(count) + " warps";
    const double time = co_await hosts[0].call<&Host::pass>(rounds);
    print_measurement("device entry of a warp, sent by another, " + who, time, "us");
    const double rate = co_await hosts[0].call<&Host::pass_all>(rounds);
    print_measurement("device entries of " + who + ", by themselves", rate, "M/s");
    hosts.destroy();
    co_await runtime.quiescence();
  }
  co_return 0;
}

}  // namespace entries

int main(int argc, char** argv) { return kaon::run(argc, argv, entries::bench, kaon::with_devices); }

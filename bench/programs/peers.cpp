// SPDX-License-Identifier: Apache-2.0
// How long it takes until an entry of a device runs that an entry of another PE's device has sent. Between the first PE
// and the last, whose devices may be one.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/peers.kernels.hpp"

namespace peers {

using dispatch::Meet;
using dispatch::Pass;
using dispatch::Player;
using kaon::bench::Clock;
using Handle = kaon::gpu::DeviceObject<Player>;

struct Meeting {
  kaon::gpu::ResidentOffer offer;
  Handle player;
  template <class Archive>
  void pup(Archive& archive) {
    archive(offer, player);
  }
};

class Host : public kaon::Chare<Host> {
 public:
  kaon::Inbox<int> over;

  /// `workers`, of which one is used.
  kaon::Task<Meeting> begin(unsigned workers, unsigned threads) {
    kaon::gpu::ResidentOptions options;
    options.workers = workers;
    options.threads = threads;
    players_.emplace(options);
    player_ = co_await players_->make(Player{});
    link_.emplace(co_await players_->make_link());
    const Meeting mine{link_->offer(), player_};
    co_return mine;
  }
  kaon::Task<> connect(Meeting theirs) {
    const kaon::gpu::ResidentPeer peer = co_await players_->connect(*link_, theirs.offer);
    const auto over_here =
        players_->on_host<std::uint32_t>([element = self()](std::uint32_t) { element.send<&Host::over>(1); });
    const Meet meet{peer.object(theirs.player), over_here};
    co_await players_->call(player_, meet);
  }
  /// Microseconds from an entry to that of the peer.
  kaon::Task<double> pass(int rounds) {
    const auto start = Clock::now();
    players_->send(player_, Pass{2 * static_cast<std::uint32_t>(rounds)});
    (void)co_await over.next();
    co_return kaon::bench::seconds_between(start, Clock::now()) * 1e6 / (2.0 * rounds);
  }

 private:
  std::optional<kaon::gpu::Resident<Entries>> players_;
  std::optional<kaon::gpu::ResidentLink> link_;
  Handle player_;
};

kaon::Task<int> bench(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  int rounds = 5000;
  unsigned threads = 128;
  std::vector<unsigned> workers{1, 8};
  kaon::bench::CommandLine app("Times of entries that devices send to each other");
  app.number("--rounds", rounds, 1, 1'000'000);
  app.number("--threads", threads, 1, 1024, "of a worker");
  app.number("--workers", workers, 1, 60);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  for (const unsigned count : workers) {
    const auto hosts = co_await runtime.create<Host>(2);
    const Meeting one = co_await hosts[0].call<&Host::begin>(count, threads);
    const Meeting other = co_await hosts[1].call<&Host::begin>(count, threads);
    co_await hosts[0].call<&Host::connect>(other);
    co_await hosts[1].call<&Host::connect>(one);
    (void)co_await hosts[0].call<&Host::pass>(rounds / 10 + 1);
    const double time = co_await hosts[0].call<&Host::pass>(rounds);
    kaon::bench::print_measurement("device entry, sent by a peer's, " + std::to_string(count) + " workers", time, "us");
  }
  co_return 0;
}

}  // namespace peers

int main(int argc, char** argv) { return kaon::run(argc, argv, peers::bench, kaon::with_devices); }

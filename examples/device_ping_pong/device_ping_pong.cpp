// SPDX-License-Identifier: Apache-2.0
// Two players that live on a GPU hit a ball to each other. The host starts the game and is told of its end: no kernel
// is launched between two hits.
#include <chrono>
#include <cstdint>
#include <cstdio>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "device_ping_pong.kernels.hpp"

constexpr std::uint32_t kHits = 10'000;

class Table : public kaon::Chare<Table> {
 public:
  /// Hits of the player who had the ball last.
  kaon::Task<std::uint64_t> play() {
    const auto referee =
        players_.on_host<std::uint64_t>([table = self()](std::uint64_t hits) { table.send<&Table::over>(hits); });
    const auto one = co_await players_.make(Player{{}, referee, 0});
    const auto other = co_await players_.make(Player{one, referee, 0});
    co_await players_.call(one, Meet{other});
    const auto start = std::chrono::steady_clock::now();
    players_.send(one, Hit{kHits});
    const std::uint64_t hits = co_await over.next();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    std::printf("%u hits, %.2f us each\n", kHits, time.count() / kHits);
    co_return hits;
  }
  kaon::Inbox<std::uint64_t> over;

 private:
  kaon::gpu::Resident<PlayerEntries> players_{{.workers = 2, .threads = 32}};
};

kaon::Task<int> device_ping_pong(kaon::Runtime& runtime) {
  const auto table = co_await runtime.create<Table>(1);
  const std::uint64_t hits = co_await table[0].call<&Table::play>();
  co_return hits == kHits / 2 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, device_ping_pong, kaon::with_devices); }

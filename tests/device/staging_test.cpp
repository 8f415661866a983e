// SPDX-License-Identifier: Apache-2.0
// Payloads that go through the host in pieces of at most 1 MiB, which processes share or the network carries.
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "kaon/gpu/engines/shared_staging.hpp"
#include "kaon/gpu/engines/staged_transfer.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::staging {

class Stager : public Chare<Stager> {
 public:
  Task<> take(std::size_t size, int seed, Payload<int> values) {
    const bool is_good = co_await is_right(stream_, std::move(values), size, seed);
    good_ += is_good;
  }
  void give(std::size_t size, int seed) {
    array()[1 - index().x].send<&Stager::take>(size, seed, made_on(stream_, size, seed));
  }
  int good() { return std::exchange(good_, 0); }

 private:
  gpu::Stream stream_;
  int good_ = 0;
};

constexpr std::size_t kPieceInts = gpu::kStagedPiece / sizeof(int);

Task<> give_sizes(Runtime& runtime) {
  const auto stagers = co_await runtime.create<Stager>(2);
  int given = 0;
  for (const std::size_t size : {kPieceInts / 2, kPieceInts - 1, kPieceInts, kPieceInts + 1, kPieceInts * 3 / 2,
                                 4 * kPieceInts, 10 * kPieceInts})
    for (int from : {0, 1}) stagers[from].send<&Stager::give>(size, ++given);
  co_await runtime.quiescence();
  const int good = co_await stagers.call_all<&Stager::good>(kaon::sum);
  CHECK(good == given);
}

Task<> give_large(Runtime& runtime) {
  const auto stagers = co_await runtime.create<Stager>(2);
  for (int i = 0; i < 3; ++i) stagers[0].send<&Stager::give>(10 * kPieceInts, i);
}

/// Lets payloads lie with their sender until it is told to fetch them.
class Keeper : public Chare<Keeper> {
 public:
  void keep(int seed, Payload<int> values) { kept_.emplace_back(seed, std::move(values)); }
  Landing post(PostFor<&Keeper::keep>, int, const Payload<int>&) { return Landing::later(); }
  Task<bool> take(std::size_t size, int seed, Payload<int> values) {
    co_return co_await is_right(stream_, std::move(values), size, seed);
  }
  Task<int> fetch() {
    int good = 0;
    for (std::size_t at = 0; at < kept_.size(); ++at) good += co_await fetch_one(at);
    co_return good;
  }
  /// All side by side, so that they are wanted at once.
  Task<int> fetch_together() {
    std::vector<Task<int>> fetching;
    for (std::size_t at = 0; at < kept_.size(); ++at) fetching.push_back(fetch_one(at));
    const std::vector<int> good = co_await all(std::move(fetching));
    co_return std::accumulate(good.begin(), good.end(), 0);
  }
  Task<bool> give(int kept, std::size_t size) {
    const auto to = array()[1 - index().x];
    for (int i = 0; i < kept; ++i) to.send<&Keeper::keep>(i, made_on(stream_, kSize, i));
    co_return co_await to.call<&Keeper::take>(size, kept, made_on(stream_, size, kept));
  }

 private:
  static constexpr std::size_t kSize = 100;
  Task<int> fetch_one(std::size_t at) {
    auto& [seed, values] = kept_[at];
    co_await land(values, Landing::pooled());
    const bool is_good = co_await is_right(stream_, std::move(values), kSize, seed);
    co_return is_good;
  }
  gpu::Stream stream_;
  std::vector<std::pair<int, Payload<int>>> kept_;
};

Task<> give_past_kept(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  const int kept = 2 * static_cast<int>(gpu::SharedPieces::kPieces);
  const bool is_taken = co_await keepers[0].call<&Keeper::give>(kept, 3 * kPieceInts);
  CHECK(is_taken);
  const int fetched = co_await keepers[1].call<&Keeper::fetch>();
  CHECK(fetched == kept);
}

/// When all has come that the sender says by itself, far more is wanted in one turn than it can be asked for at a time.
Task<> want_many_at_once(Runtime& runtime) {
  const auto keepers = co_await runtime.create<Keeper>(2);
  const int kept = 4 * static_cast<int>(gpu::SharedPieces::kPieces);
  const bool is_taken = co_await keepers[0].call<&Keeper::give>(kept, kPieceInts);
  CHECK(is_taken);
  co_await runtime.sleep_for(std::chrono::seconds(1));
  const int fetched = co_await keepers[1].call<&Keeper::fetch_together>();
  CHECK(fetched == kept);
}

/// Staged by processes of one host, and by processes of several.
template <class Function>
void on_hosts(std::uint64_t seed, Function function) {
  for (const bool through_network : {false, true}) {
    INFO((through_network ? "by network, " : "in memory, ") << "seed " << seed);
    DeviceSceneSettings settings;
    settings.stages_all = true;
    settings.stages_through_network = through_network;
    settings.seed = seed;
    function(settings);
  }
}

TEST_CASE("payloads of less than a piece, of pieces and of parts of pieces arrive whole", "[device][staging]") {
  for (const auto first : {DeviceScene::First::headers, DeviceScene::First::payloads})
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      staging::on_hosts(seed, [first](const DeviceSceneSettings& settings) {
        DeviceScene scene(settings);
        scene.deliver_first(first);
        scene.run(staging::give_sizes);
      });
}

TEST_CASE("payloads that nobody fetches leave pieces to those that somebody awaits", "[device][staging]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    staging::on_hosts(seed, [](const DeviceSceneSettings& settings) {
      DeviceScene scene(settings);
      scene.run(staging::give_past_kept);
    });
}

TEST_CASE("payloads arrive although more are wanted at once than their sender hears of", "[device][staging]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    staging::on_hosts(seed, [](const DeviceSceneSettings& settings) {
      DeviceScene scene(settings);
      scene.run(staging::want_many_at_once);
    });
}

TEST_CASE("a run may end with payloads on their way", "[device][staging]") {
  for (const int steps : {0, 50, 200, 500, 1000, 2000})
    staging::on_hosts(1, [steps](DeviceSceneSettings settings) {
      for (const bool stages_all : {true, false}) {
        INFO((stages_all ? "staged, " : "direct, ") << steps << " steps");
        settings.stages_all = stages_all;
        DeviceScene scene(settings);
        scene.run(staging::give_large);
        int left = steps;
        scene.network().run_until([&] { return left-- == 0; });
      }
    });
}

}  // namespace kaon::testing::staging

// SPDX-License-Identifier: Apache-2.0
// Payloads that go through the host in pieces of at most 1 MiB, which processes share or the network carries.
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
    for (auto& [seed, values] : kept_) {
      co_await land(values, Landing::pooled());
      good += co_await is_right(stream_, std::move(values), kSize, seed);
    }
    co_return good;
  }
  Task<bool> give(int kept, std::size_t size) {
    const auto to = array()[1 - index().x];
    for (int i = 0; i < kept; ++i) to.send<&Keeper::keep>(i, made_on(stream_, kSize, i));
    co_return co_await to.call<&Keeper::take>(size, kept, made_on(stream_, size, kept));
  }

 private:
  static constexpr std::size_t kSize = 100;
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

}  // namespace kaon::testing::staging

using namespace kaon::testing;

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

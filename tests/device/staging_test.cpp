// SPDX-License-Identifier: Apache-2.0
// Payloads that go through the host in pieces of 1 MiB.
#include "gpu/staging.hpp"

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

}  // namespace kaon::testing::staging

using namespace kaon::testing;

TEST_CASE("payloads of less than a piece, of pieces and of parts of pieces arrive whole", "[device][staging]") {
  for (const auto first : {DeviceScene::First::headers, DeviceScene::First::payloads})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      DeviceSceneSettings settings;
      settings.stages_all = true;
      settings.seed = seed;
      INFO("seed " << seed);
      DeviceScene scene(settings);
      scene.deliver_first(first);
      scene.run(staging::give_sizes);
    }
}

TEST_CASE("a run may end with payloads on their way", "[device][staging]") {
  for (const bool stages_all : {true, false})
    for (const int steps : {0, 50, 200, 500, 1000, 2000}) {
      INFO((stages_all ? "staged, " : "direct, ") << steps << " steps");
      DeviceSceneSettings settings;
      settings.stages_all = stages_all;
      DeviceScene scene(settings);
      scene.run(staging::give_large);
      int left = steps;
      scene.network().run_until([&] { return left-- == 0; });
    }
}

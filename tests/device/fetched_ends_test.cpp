// SPDX-License-Identifier: Apache-2.0
// Payloads that are kept where they were read until their receiver's process ends.
#include <chrono>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::fetched_ends {

constexpr std::size_t kSize = 1000;

class Keeper : public Chare<Keeper> {
 public:
  void give(PeId to, int count) {
    for (int i = 0; i < count; ++i) array()[static_cast<int>(to)].send<&Keeper::take>(made_on(stream_, kSize, i));
  }
  void take(Payload<int> values) {
    (void)values.view(stream_);
    kept_.push_back(std::move(values));
  }

 private:
  gpu::Stream stream_;
  std::vector<Payload<int>> kept_;
  gpu::Buffer<int> scratch_{kSize, stream_};  // goes first, and its memory is still to be used by the stream
};

TEST_CASE("who ends while it reads payloads of another process gives their memory back", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  DeviceScene scene(settings);
  scene.run([](Runtime& runtime) -> Task<> {
    const auto keepers = co_await runtime.create_group<Keeper>();
    keepers[0].send<&Keeper::give>(1U, 10);
    co_await runtime.quiescence();
  });
  Network& network = scene.network();
  const auto lent = [&] { return scene.payloads(0).engines().fetched().lent(); };
  CHECK(lent() == 10);
  network.pe(1).process().clear();
  for (int turn = 0; turn < 1000 && lent() > 0; ++turn) {
    network.pass(std::chrono::milliseconds{1});
    network.run(0);
  }
  CHECK(lent() == 0);
}

}  // namespace kaon::testing::fetched_ends

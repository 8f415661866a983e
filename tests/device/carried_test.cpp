// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels of several processes, which run together
// Small payloads that resident schedulers carry between processes of a host.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/carried_scene.hpp"
#include "tests/device/carrier.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/resident_cells.hpp"

namespace kaon::testing {
namespace carried {

class Corner : public Chare<Corner> {
 public:
  /// From now on its PE has a kernel that carries.
  void open() { cells_.emplace(options_of(2)); }
  void shut() { cells_.reset(); }
  Task<> take(int seed, std::size_t count, Payload<int> values) {
    const bool is_good = co_await is_right(stream_, std::move(values), count, seed);
    good_ += is_good;
  }
  void give(PeId to, std::size_t count, int times) {
    for (int i = 0; i < times; ++i)
      array()[static_cast<int>(to)].send<&Corner::take>(i, count, made_on(stream_, count, i));
  }
  /// Modifies what has come, and sends it on.
  Task<> hand_on(std::uint32_t hops, Payload<int> values) {
    if (hops == 0) {
      const bool is_good = co_await is_right(stream_, std::move(values), 64, 0);
      good_ += is_good;
      co_return;
    }
    gpu::Buffer<int> own = take_over(std::move(values));
    array()[1 - index().x].send<&Corner::hand_on>(hops - 1, Payload<int>(std::move(own), stream_));
  }
  void start(std::uint32_t hops) { array()[1 - index().x].send<&Corner::hand_on>(hops, made_on(stream_, 64, 0)); }
  int good() const { return good_; }
  /// Of its PE's device, but for what is kept to be used again.
  std::size_t used_bytes() const {
    gpu::Memory& memory = gpu::this_device().memory().pool();
    memory.flush();
    return memory.arena().facts().used_bytes;
  }
  Task<std::uint64_t> add(std::uint32_t times) {
    const Object cell = co_await cells_->make(Cell{});
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < times; ++i) value = co_await cells_->call(cell, Add{1});
    co_return value;
  }

 private:
  gpu::Buffer<int> take_over(Payload<int> values) {
    gpu::Buffer<int> own(values.size(), stream_);
    stream_.copy(own.span(), values.view(stream_));
    return own;
  }

  gpu::Stream stream_;
  std::optional<Cells> cells_;
  int good_ = 0;
};

/// What runs on two processes, and what their reports say of payloads that were carried, and of others.
template <class Main>
struct Carried {
  std::uint64_t carried[2]{}, others[2]{};
  std::size_t fallbacks = 0;
  std::uint32_t next_flag[2]{};  // of its process
  bool is_exported[2]{};         // what a payload of 64 bytes would lie in
  explicit Carried(Main main_task, const DeviceSceneSettings& settings = {}) {
    DeviceScene scene(without_fetching(settings));
    scene.run(main_task);
    for (PeId pe : {0U, 1U}) {
      const runtime::TransferReport report = scene.network().pe(pe).exchange().transfers();
      carried[pe] = report[Route::carried].payloads;
      others[pe] = report[Route::direct].payloads;
      fallbacks += report.fallbacks.size();
      next_flag[pe] = scene.payloads(pe).platform().shared_flags().take().number;
      gpu::Block* const block = scene.device(pe).memory().pool().take_idle(64);
      is_exported[pe] = scene.device(pe).regions().find(block->data)->is_exported;
      scene.device(pe).memory().pool().give_back(*block, {});
    }
  }
};

}  // namespace carried

using namespace carried;

TEST_CASE("payloads up to 4 KiB are carried where resident schedulers run", "[device][carried]") {
  const Carried seen(+[](Runtime& runtime) -> Task<> {
    const auto corners = co_await open_on_all<Corner>(runtime);
    for (const std::size_t count : {1, 5, 1024, 1025, 100'000}) {
      corners[0].send<&Corner::give>(1U, count, 2);
      corners[1].send<&Corner::give>(0U, count, 2);
    }
    co_await runtime.quiescence();
    co_await expect_good(corners, 20);
  });
  for (PeId pe : {0U, 1U}) {
    CHECK(seen.carried[pe] == 6);
    CHECK(seen.others[pe] == 4);
  }
  CHECK(seen.fallbacks == 0);
}

TEST_CASE("without resident schedulers nothing is carried, and nothing told of it", "[device][carried]") {
  const Carried seen(+[](Runtime& runtime) -> Task<> {
    const auto corners = co_await runtime.create_group<Corner>();
    corners[0].send<&Corner::give>(1U, std::size_t{16}, 3);
    co_await runtime.quiescence();
    co_await expect_good(corners, 3);
  });
  CHECK(seen.carried[0] == 0);
  CHECK(seen.others[0] == 3);
  CHECK(seen.fallbacks == 0);
}

TEST_CASE("a receiver without a resident scheduler copies what was to be carried", "[device][carried]") {
  const Carried seen(+[](Runtime& runtime) -> Task<> {
    const auto corners = co_await runtime.create_group<Corner>();
    corners[0].send<&Corner::open>();
    co_await runtime.quiescence();
    corners[0].send<&Corner::give>(1U, std::size_t{16}, 3);
    corners[1].send<&Corner::give>(0U, std::size_t{16}, 3);
    co_await runtime.quiescence();
    co_await expect_good(corners, 6);
  });
  CHECK(seen.carried[0] == 3);
  CHECK(seen.carried[1] == 0);
  CHECK(seen.others[1] == 3);
}

TEST_CASE("more small payloads than are carried at a time arrive whole", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  const Carried seen(
      +[](Runtime& runtime) -> Task<> {
        const auto corners = co_await open_on_all<Corner>(runtime);
        for (PeId from : {0U, 1U}) corners[from].send<&Corner::give>(1 - from, std::size_t{32}, 300);
        co_await runtime.quiescence();
        co_await expect_good(corners, 600);
      },
      settings);
  for (PeId pe : {0U, 1U}) {
    CHECK(seen.carried[pe] >= 64);
    CHECK(seen.others[pe] > 0);
    CHECK(seen.carried[pe] + seen.others[pe] == 300);
  }
}

TEST_CASE("what was carried is modified and sent on, while entries run", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  const Carried seen(
      +[](Runtime& runtime) -> Task<> {
        const auto corners = co_await open_on_all<Corner>(runtime);
        corners[0].send<&Corner::start>(200U);
        const auto [first, second] =
            co_await all(corners[0].call<&Corner::add>(100U), corners[1].call<&Corner::add>(100U));
        CHECK((first == 100 && second == 100));
        co_await runtime.quiescence();
        co_await expect_good(corners, 1);
      },
      settings);
  CHECK(seen.carried[0] + seen.carried[1] == 201);
  for (PeId pe : {0U, 1U}) CHECK(seen.next_flag[pe] < 20);  // the others were used again
}

TEST_CASE("a resident scheduler may end while it carries", "[device][carried]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{11}));
  const Carried seen(
      +[](Runtime& runtime) -> Task<> {
        const auto corners = co_await open_on_all<Corner>(runtime);
        for (PeId from : {0U, 1U}) corners[from].send<&Corner::give>(1 - from, std::size_t{32}, 20);
        corners.broadcast<&Corner::shut>();
        co_await runtime.quiescence();
        co_await expect_good(corners, 40);
      },
      settings);
  for (PeId pe : {0U, 1U}) CHECK(seen.carried[pe] + seen.others[pe] == 20);
}

TEST_CASE("resident schedulers that carried leave their memory to later ones", "[device][carried]") {
  const Carried seen(+[](Runtime& runtime) -> Task<> {
    const auto corners = co_await runtime.create_group<Corner>();
    std::vector<std::size_t> used;
    for (int life = 0; life < 40; ++life) {
      corners.broadcast<&Corner::open>();
      corners[0].send<&Corner::give>(1U, std::size_t{32}, 5);
      co_await runtime.quiescence();
      used.push_back(co_await corners.call_all<&Corner::used_bytes>(kaon::sum));
      corners.broadcast<&Corner::shut>();
      for (int i = 0; i < 50; ++i) (void)co_await corners.call_all<&Corner::good>(kaon::sum);  // until it has ended
    }
    CHECK(used.back() == used[1]);
  });
  CHECK(seen.carried[0] == 200);
  CHECK(seen.is_exported[0]);  // so that its slab stays while others may have it mapped
}

TEST_CASE("elements that move take what was carried along, and what waits for them is carried on",
          "[device][carried]") {
  DeviceSceneSettings settings;
  settings.shape = GENERATE(Network::Shape{2, 1}, Network::Shape{3, 1}, Network::Shape{2, 2});
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{5}));
  const CarriedCounts seen = run_carried(
      +[](Runtime& runtime) -> Task<> {
        co_await open_on_all<Corner>(runtime);
        const bool is_good = co_await carry_all(runtime, 6);
        CHECK(is_good);
      },
      settings);
  CHECK(seen.by_themselves > 0);
}

TEST_CASE("nothing is carried by a size of 0, with staging, and out of reach", "[device][carried]") {
  DeviceSceneSettings settings;
  gpu::EngineSettings engine;
  SECTION("off") { engine.most_carried = 0; }
  SECTION("staged") { engine.stages_all = true; }
  SECTION("out of reach") { settings.has_peer_access = false; }
  if (settings.has_peer_access) settings.engines = {engine, engine};
  const Carried seen(
      +[](Runtime& runtime) -> Task<> {
        const auto corners = co_await open_on_all<Corner>(runtime);
        corners[0].send<&Corner::give>(1U, std::size_t{16}, 3);
        co_await runtime.quiescence();
        co_await expect_good(corners, 3);
      },
      settings);
  CHECK(seen.carried[0] == 0);
}

}  // namespace kaon::testing

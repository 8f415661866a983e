// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels of several processes, which run together
// Memory of a device that PEs of one process share.
#include "kaon/gpu/device/card.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::cards {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kInts = kMiB / sizeof(int);

void run_on_two(std::size_t memory, Scene::MainTask main_task) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    DeviceSceneSettings settings;
    settings.shape = {1, 2};
    settings.seed = seed;
    settings.memory = memory;
    DeviceScene scene(settings);
    CAPTURE(seed);
    scene.run(main_task);
    scene.network().run_until_idle();
  }
}

/// Memory that is written on a stream and freed before the device got there.
void use_up(gpu::Stream& stream, std::size_t ints) {
  const gpu::Buffer<int> buffer(ints, stream);
  stream.launch({4, 32}, WritePattern{buffer.data(), ints, 1});
}

class User : public Chare<User> {
 public:
  void use_up_on_its_stream() { use_up(stream_, 10 * kInts); }
  void use_up_on_a_foreign_stream() {
    gpu::Device& device = stream_.device();
    const gpu::NativeStream native = device.driver().make_stream(device.number());
    {
      gpu::Stream adopted = gpu::Stream::adopt(native);
      use_up(adopted, 10 * kInts);
    }
    device.driver().destroy(native);
  }
  /// More than is free without what another PE has used.
  Task<bool> fill_all() {
    Payload<int> payload = made_on(stream_, 14 * kInts, 3);
    co_return co_await is_right(stream_, std::move(payload), 14 * kInts, 3);
  }

 private:
  gpu::Stream stream_;
};

template <auto kUseUp>
Task<> use_what_another_used(Runtime& runtime) {
  const auto users = co_await runtime.create_group<User>();
  for (int time = 0; time < 3; ++time) {
    co_await users[1].template call<kUseUp>();
    CHECK_AWAITED(users[0].template call<&User::fill_all>(), true);
  }
}

TEST_CASE("memory that streams of another PE still use is waited for when there is no other", "[device][memory]") {
  run_on_two(16 * kMiB, use_what_another_used<&User::use_up_on_its_stream>);
}

TEST_CASE("memory last used on a stream of others serves when that stream has gone", "[device][memory]") {
  run_on_two(16 * kMiB, use_what_another_used<&User::use_up_on_a_foreign_stream>);
}

TEST_CASE("memory that is reserved is there at once, for all PEs of a process", "[device][memory]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 2};
  DeviceScene scene(settings);
  const auto taken = [&] { return scene.device(0).card().memory().facts().slab_bytes; };
  scene.network().on(0, [](Pe&) { gpu::reserve(50 * kMiB); });
  CHECK(taken() == 50 * kMiB);
  scene.network().on(1, [](Pe&) {
    gpu::Stream stream;
    const gpu::Buffer<int> buffer(40 * kInts, stream);
  });
  CHECK(taken() == 50 * kMiB);
  scene.network().on(
      0, [](Pe&) { CHECK(has(thrown<OutOfMemory>([] { gpu::reserve(std::size_t{2} << 30); }), "2147483648 bytes")); });
}

}  // namespace kaon::testing::cards

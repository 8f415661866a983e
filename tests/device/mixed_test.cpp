// SPDX-License-Identifier: Apache-2.0
// Messages of eight payloads each: of devices and of the host, landed, pooled and later, some without bytes.
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::mixed {

MixedNode::Sizes sizes_of(int seed) {
  constexpr MixedNode::Sizes kSizes{0, 1, 700, 0, 3001, 64, 300'000, 5};
  MixedNode::Sizes sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = kSizes[(i + static_cast<std::size_t>(seed)) % sizes.size()];
  return sizes;
}

Task<> give_all(Runtime& runtime) {
  const int count = static_cast<int>(runtime.pes()) + 1;
  const auto nodes = co_await runtime.create<MixedNode>(count);
  constexpr int kTimes = 8;
  for (int from = 0; from < count; ++from)
    for (int seed = 0; seed < kTimes; ++seed)
      nodes[from].send<&MixedNode::give>(nodes[(from + seed) % count], sizes_of(seed), seed);
  co_await runtime.quiescence();
  const int taken = co_await nodes.call_all<&MixedNode::taken>(kaon::sum);
  CHECK(taken == kTimes * count);
  const int good = co_await nodes.call_all<&MixedNode::good>(kaon::sum);
  int local_gifts_of_unwanted = 0;  // handed over within a process they are here at once, and taken
  for (int seed = 2; seed < kTimes; seed += 3) ++local_gifts_of_unwanted;
  CHECK(good >= (kTimes * 8 - local_gifts_of_unwanted) * count);
  CHECK(good <= kTimes * 8 * count);
}

Task<> give_nothing(Runtime& runtime) {
  const auto nodes = co_await runtime.create<MixedNode>(2);
  nodes[0].send<&MixedNode::give>(nodes[1], MixedNode::Sizes{}, 1);
  nodes[1].send<&MixedNode::give>(nodes[0], MixedNode::Sizes{}, 1);
  co_await runtime.quiescence();
  const int good = co_await nodes.call_all<&MixedNode::good>(kaon::sum);
  CHECK(good == 2 * 8);
}

TEST_CASE("eight payloads of one message, landed, pooled and later, arrive whole", "[device][mixed]") {
  run_on_devices(mixed::give_all);
}

TEST_CASE("payloads without bytes have a landing and arrive", "[device][mixed]") {
  run_on_devices(mixed::give_nothing);
}

}  // namespace kaon::testing::mixed

// SPDX-License-Identifier: Apache-2.0
// Payloads in device memory between chares over a network and streams whose order a seed chooses.
#include "tests/device/traffic.hpp"

#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::device_traffic {

Task<Proxy<DeviceNode>> make_nodes(Runtime& runtime) {
  return runtime.create<DeviceNode>(2 * static_cast<int>(runtime.pes()));
}

Task<> exchange(Runtime& runtime) {
  const auto nodes = co_await make_nodes(runtime);
  constexpr int kSteps = 2 * 6;  // sizes 1, 8, 57, 400, 2801, 19608
  const int good = co_await nodes.call_all<&DeviceNode::exchange>(kaon::sum, 2, std::size_t{20'000});
  CHECK(good == (4 * kSteps - kSteps / 3) * nodes.shape().x);
}

Task<> send_several(Runtime& runtime) {
  const auto nodes = co_await make_nodes(runtime);
  co_await nodes.call_all<&DeviceNode::send_several>(kaon::sum, 12, std::size_t{3000});
  co_await runtime.quiescence();
  const int good = co_await nodes.call_all<&DeviceNode::good>(kaon::sum);  // in a CHECK it would be called twice
  CHECK(good == 4 * 12 * nodes.shape().x);
}

Task<> reuse(Runtime& runtime) {
  const auto nodes = co_await make_nodes(runtime);
  const int good = co_await nodes.call_all<&DeviceNode::reuse>(kaon::sum, 6, std::size_t{5000});
  CHECK(good == 6 * nodes.shape().x);
}

TEST_CASE("payloads of devices arrive whole in every order of headers, payloads and streams", "[device][traffic]") {
  run_on_devices(device_traffic::exchange);
}

TEST_CASE("several payloads of one message arrive whole in every order", "[device][traffic]") {
  run_on_devices(device_traffic::send_several);
}

TEST_CASE("registered memory is written again only when its payload is away", "[device][traffic]") {
  run_on_devices(device_traffic::reuse);
}

TEST_CASE("numbers of payloads of devices wrap around", "[device][traffic]") {
  for (const int bits : {4, 5, 6}) {
    INFO(bits << " bits");
    run_on_devices(with(&Options::payload_counter_bits, bits), device_traffic::reuse);
  }
}

TEST_CASE("payloads of devices survive where every argument is serialized", "[device][traffic]") {
  run_on_devices(with(&Options::serialize_always, true), device_traffic::exchange);
  run_on_devices(with(&Options::serialize_always, true), device_traffic::send_several);
}

}  // namespace kaon::testing::device_traffic

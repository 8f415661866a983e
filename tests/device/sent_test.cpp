// SPDX-License-Identifier: Apache-2.0
// Sent(payload): memory is written again as soon as it says so, so every receiver that was not done shows.
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::sent {

constexpr std::size_t kSize = 4000;
const gpu::Grid kGrid{{4}, {32}};

enum class Taker : int { viewer, lander, dropper, rejecter, fetcher };

class SentNode : public Chare<SentNode> {
 public:
  // Checks what arrives on a stream that is far behind.
  Task<> take(Taker, int seed, Payload<int> values) {
    if (!values.is_here()) {
      if (seed % 2 == 1) co_return;  // rejected
      co_await land(values, Landing::pooled());
    }
    for (int i = 0; i < 3; ++i) stream_.launch(kGrid, WritePattern{other_.data(), other_.size(), i});
    const bool is_good = co_await is_right(stream_, std::move(values), kSize, seed);
    good_ += is_good;
  }
  Landing post(PostFor<&SentNode::take>, Taker taker, int, const Payload<int>&) {
    if (taker == Taker::lander) return Landing::into(landings_.emplace_back(kSize, stream_).span(), stream_);
    return taker == Taker::rejecter || taker == Taker::fetcher ? Landing::later() : Landing::pooled();
  }
  void drop(Payload<int>) {}

  Task<int> give_registered(Element<SentNode> to, Taker taker, int times) {
    gpu::Buffer<int> memory(kSize, stream_);
    gpu::Registration registration(memory.data(), memory.size_bytes());
    for (int seed = 0; seed < times; ++seed) {
      stream_.launch(kGrid, WritePattern{memory.data(), kSize, seed});
      Payload<int> payload(registration.part<int>(0, kSize), stream_);
      Sent sent(payload);
      if (taker == Taker::dropper)
        to.send<&SentNode::drop>(std::move(payload));
      else
        to.send<&SentNode::take>(taker, seed, std::move(payload));
      co_await sent;
    }
    co_return times;
  }
  Task<int> give_buffers(Element<SentNode> to, Taker taker, int times) {
    for (int seed = 0; seed < times; ++seed) {
      Payload<int> payload = made_on(stream_, kSize, seed);
      const auto sent = std::make_unique<Sent>(payload);
      to.send<&SentNode::take>(taker, seed, std::move(payload));
      if (seed % 3 != 0) co_await *sent;  // or it goes without having waited
    }
    co_return times;
  }
  Task<int> give(Element<SentNode> to, Taker taker, int times, bool is_registered) {
    if (is_registered) co_return co_await give_registered(to, taker, times);
    co_return co_await give_buffers(to, taker, times);
  }
  int good() { return std::exchange(good_, 0); }

 private:
  gpu::Stream stream_;
  gpu::Buffer<int> other_{kSize, stream_};
  std::vector<gpu::Buffer<int>> landings_;
  int good_ = 0;
};

template <bool kIsRegistered, Taker kTaker>
Task<> give_all(Runtime& runtime) {
  const int count = static_cast<int>(runtime.pes()) + 1;
  constexpr int kTimes = 6;
  const Proxy<SentNode> nodes = co_await runtime.create<SentNode>(count);
  int given = 0;
  for (int distance = 0; distance < count; ++distance)
    given += co_await nodes[0].call<&SentNode::give>(nodes[distance], kTaker, kTimes, kIsRegistered);
  CHECK(given == kTimes * count);
  co_await runtime.quiescence();
  const int good = co_await nodes.call_all<&SentNode::good>(kaon::sum);
  if constexpr (kTaker == Taker::viewer || kTaker == Taker::lander || kTaker == Taker::fetcher)
    CHECK(good >= kTimes / 2 * count);
  if constexpr (kTaker == Taker::viewer || kTaker == Taker::lander) CHECK(good == given);
}

template <Taker kTaker>
void check() {
  run_on_devices(give_all<true, kTaker>);
  if constexpr (kTaker != Taker::dropper) run_on_devices(give_all<false, kTaker>);
}

using sent::Taker;

TEST_CASE("memory is free when the last reader's stream is done with it", "[device][sent]") {
  sent::check<Taker::viewer>();
}

TEST_CASE("memory is free when it was copied to its landing", "[device][sent]") { sent::check<Taker::lander>(); }

TEST_CASE("memory is free when nobody looks at the payload", "[device][sent]") { sent::check<Taker::dropper>(); }

TEST_CASE("memory is free when a later payload is fetched", "[device][sent]") { sent::check<Taker::fetcher>(); }

TEST_CASE("memory is free when a later payload is rejected", "[device][sent]") { sent::check<Taker::rejecter>(); }

}  // namespace kaon::testing::sent

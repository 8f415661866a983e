// SPDX-License-Identifier: Apache-2.0
// Buffers into which payloads land on another stream than their own, and which are sent on at once.
#include <optional>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::landed_elsewhere {

constexpr std::size_t kSize = 3000;
constexpr int kRounds = 3;

class Relay : public Chare<Relay> {
 public:
  void give(int seed) { next().send<&Relay::pass_on>(seed, made_on(stream_, kSize, seed)); }
  /// It has landed in the order of one stream, and leaves in that of another.
  void pass_on(int seed, Payload<int>) {
    next().send<&Relay::take>(seed, Payload<int>(std::move(*memory_), stream_));
    memory_.reset();
  }
  Landing post(PostFor<&Relay::pass_on>, int, const Payload<int>& values) {
    memory_.emplace(values.size(), stream_);
    for (int work = 0; work < 5; ++work) landing_.fill(memory_->span(), work);
    return Landing::into(memory_->span(), landing_);
  }
  Task<int> take(int seed, Payload<int> values) {
    const bool is_good = co_await is_right(stream_, std::move(values), kSize, seed);
    good_ += is_good;
    co_return 1;
  }
  int good() const { return good_; }

 private:
  Element<Relay> next() { return array()[(index().x + 1) % array().shape().x]; }

  gpu::Stream stream_, landing_;
  std::optional<gpu::Buffer<int>> memory_;
  int good_ = 0;
};

Task<> relay(Runtime& runtime) {
  const auto relays = co_await runtime.create<Relay>(3);
  for (int round = 0; round < kRounds; ++round) {
    relays.broadcast<&Relay::give>(round);
    co_await runtime.quiescence();
  }
  const int good = co_await relays.call_all<&Relay::good>(kaon::sum);
  CHECK(good == 3 * kRounds);
}

TEST_CASE("a buffer that is sent on holds what has landed in it on another stream", "[device][traffic]") {
  run_on_devices(relay);
}

}  // namespace kaon::testing::landed_elsewhere

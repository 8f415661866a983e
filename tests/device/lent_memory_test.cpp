// SPDX-License-Identifier: Apache-2.0
// What was given to users of payloads stays good when those are viewed again, sent on, or land beside others.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace lent_memory {

constexpr std::size_t kSize = 4000;

class Viewer : public Chare<Viewer> {
 public:
  using Values = Payload<int>;
  /// Uses what the first view gave after there was a second.
  Task<> take(int seed, Values values) {
    const gpu::Span<const int> first = std::as_const(values).view(stream_);
    const gpu::Span<const int> second = std::as_const(values).view(other_);
    gpu::Pinned<int> seen(kSize, stream_);
    gpu::Pinned<int> seen2(kSize, other_);
    other_.copy(seen2, second);
    co_await other_.drained();
    co_await pause();
    stream_.copy(seen, first);
    co_await stream_.drained();
    std::vector<int> expected(kSize);
    std::iota(expected.begin(), expected.end(), seed);
    good_ += std::equal(expected.begin(), expected.end(), seen.span().data());
  }
  Task<> pause() {
    for (int i = 0; i < 60; ++i) co_await array()[1 - index().x].call<&Viewer::idle>();
  }
  Task<int> idle() {
    const Payload<int> other = made_on(stream_, kSize, 999);
    co_await stream_.drained();
    co_return 0;
  }
  void give(int to, int count) {
    for (int i = 0; i < count; ++i) array()[to].send<&Viewer::take>(i, made_on(stream_, kSize, i));
  }
  int good() const { return good_; }

 private:
  gpu::Stream stream_, other_;
  int good_ = 0;
};

/// Two payloads land in halves of one buffer, in the order of two streams, of which one is late.
class Halves : public Chare<Halves> {
 public:
  Task<> take(int, Payload<int>) {
    ++taken_;
    if (taken_ < 2) co_return;
    landed_.reset();
    gpu::Buffer<int> next(2 * kSize, soon_);
    soon_.fill(next.span(), 7);
    co_await late_.drained();
    co_await soon_.drained();
    gpu::Pinned<int> seen(2 * kSize, soon_);
    soon_.copy(seen, next.span());
    co_await soon_.drained();
    good_ = std::all_of(seen.span().begin(), seen.span().end(), [](int value) { return value == 0x07070707; });
  }
  Landing post(PostFor<&Halves::take>, int half, const Payload<int>&) {
    if (!landed_) landed_.emplace(2 * kSize, own_);
    gpu::Stream& stream = half == 0 ? late_ : soon_;
    if (half == 0)
      for (int i = 0; i < 400; ++i) stream.fill(work_.span(), 1);
    return Landing::into(landed_->span().subspan(half * kSize, kSize), stream);
  }
  void give(int to) {
    for (const int half : {0, 1}) array()[to].send<&Halves::take>(half, made_on(own_, kSize, half));
  }
  int good() const { return good_; }

 private:
  gpu::Stream own_, late_, soon_;
  gpu::Buffer<int> work_{kSize, late_};
  std::optional<gpu::Buffer<int>> landed_;
  int taken_ = 0, good_ = 0;
};

/// Gives much away, which others keep.
class Giver : public Chare<Giver> {
 public:
  static constexpr std::size_t kMany = std::size_t{1} << 18;
  int take(Payload<int> values) {
    values.view(stream_);
    kept_.push_back(std::move(values));
    return 1;
  }
  Task<int> give() {
    for (int i = 0; i < 90; ++i) co_await array()[1 + i % 3].call<&Giver::take>(made_on(stream_, kMany, i));
    co_return 90;
  }

 private:
  gpu::Stream stream_;
  std::vector<Payload<int>> kept_;
};

}  // namespace lent_memory
using namespace lent_memory;

TEST_CASE("what a view gave stays good when there is another view", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  settings.fetches = GENERATE(false, true);
  CAPTURE(settings.fetches);
  DeviceScene scene(settings);
  scene.run(+[](Runtime& runtime) -> Task<> {
    const auto viewers = co_await runtime.create_group<Viewer>();
    viewers[0].send<&Viewer::give>(1, 5);
    co_await runtime.quiescence();
    const int good = co_await viewers.call_all<&Viewer::good>(kaon::sum);
    CHECK(good == 5);
  });
}

TEST_CASE("payloads land in halves of a buffer that is freed then", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{6}));
  settings.fetches = GENERATE(false, true);
  CAPTURE(settings.fetches);
  DeviceScene scene(settings);
  scene.run(+[](Runtime& runtime) -> Task<> {
    const auto halves = co_await runtime.create_group<Halves>();
    halves[0].send<&Halves::give>(1);
    co_await runtime.quiescence();
    const int good = co_await halves.call_all<&Halves::good>(kaon::sum);
    CHECK(good == 1);
  });
}

TEST_CASE("who gives away more than it has room for", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.shape = {4, 1};
  settings.memory = std::size_t{64} << 20;
  settings.fetches = GENERATE(false, true);
  CAPTURE(settings.fetches);
  DeviceScene scene(settings);
  scene.run(+[](Runtime& runtime) -> Task<> {
    const auto givers = co_await runtime.create_group<Giver>();
    const int given = co_await givers[0].call<&Giver::give>();
    CHECK(given == 90);
  });
}

}  // namespace kaon::testing

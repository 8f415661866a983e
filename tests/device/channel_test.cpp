// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
#include "kaon/gpu/channels/channel.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/channel.kernels.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::channels {

using Numbers = std::vector<std::uint32_t>;
using Speakers = gpu::Resident<SpeakerEntries>;
constexpr std::size_t kCount = 37;
constexpr std::uint32_t kParts = 2;  // of the first of the two; the other one has one

gpu::ResidentOptions options_of_speakers() {
  gpu::ResidentOptions options;
  options.workers = 3;
  options.threads = 64;
  return options;
}

/// What both have after so many rounds.
std::vector<Numbers> spoken(std::uint32_t rounds) {
  std::vector<Numbers> both(2, Numbers(kCount, 1));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::vector<Numbers> before = both;
    for (std::size_t side = 0; side < 2; ++side)
      for (std::uint32_t i = 0; i < kCount; ++i)
        both[side][i] = answer_to(round > 0 ? before[1 - side][i] : 0, before[side][i], i);
  }
  return both;
}

/// One of two that have a channel.
class Host : public Chare<Host> {
 public:
  Task<int> connect() {
    channel_.emplace(kCount, stream_, parts());
    gpu::ChannelOffer offer = co_await channel_->offer();
    array()[1 - index().x].send<&Host::offers>(std::move(offer));
    channel_->connect(co_await offers.next());
    stream_.fill(said_.span(), 0);
    const gpu::Pinned<gpu::AwaitedFlag> before(2, stream_);
    before[0] = channel_->awaited();
    before[1] = {{said_.data()}, parts(), gpu::Scope::device};
    stream_.copy(before_.span(), before);
    const gpu::Pinned<std::uint32_t> ones(kCount, stream_);
    std::fill(ones.span().begin(), ones.span().end(), 1U);
    stream_.copy(values_.span(), ones);
    co_await stream_.drained();
    channel_->move_to(speakers_->stream());
    before_.move_to(speakers_->stream());
    said_.move_to(speakers_->stream());
    values_.move_to(speakers_->stream());
    const Speaker speaker{channel_->end(), {said_.data()}, {before_.data(), 2}, values_.data()};
    speaker_ = co_await speakers_->make_gang(parts(), speaker);
    co_return 1;
  }
  /// Rounds up to `stop`, from where it was.
  Task<bool> speak(std::uint32_t stop) {
    co_await speakers_->call(speaker_, BeginSpeak{round_, stop});
    round_ = stop;
    gpu::Pinned<std::uint32_t> seen(kCount, stream_);
    stream_.copy(seen, values_.span());
    co_await stream_.drained();
    co_return Numbers(seen.span().begin(), seen.span().end()) == spoken(stop)[static_cast<std::size_t>(index().x)];
  }
  /// What misuse is answered with.
  Task<> misuse() {
    const auto refusal = [](const auto& misused) { return thrown<UsageError>(misused); };
    CHECK(has(refusal([&] { gpu::Channel<int>(0, stream_); }), "at least one element"));
    CHECK(has(refusal([&] { gpu::Channel<int>(1, stream_, 0); }), "its flag is raised"));
    gpu::Channel<std::uint32_t> one(4, stream_), other(4, stream_);
    CHECK(has(refusal([&] { (void)one.end(); }), "is not connected"));
    CHECK(has(refusal([&] { (void)one.awaited(); }), "is not connected"));
    const gpu::ChannelOffer offer = co_await other.offer();
    gpu::Channel<std::uint32_t> shorter(3, stream_);
    gpu::Channel<std::uint64_t> wider(4, stream_);
    CHECK(has(refusal([&] { shorter.connect(offer); }), "here 3 elements of 4 bytes a round, at the partner's 4 of 4"));
    CHECK(has(refusal([&] { wider.connect(offer); }), "here 4 elements of 8 bytes a round, at the partner's 4 of 4"));
    CHECK(has(refusal([&] { one.connect({}); }), "here 4 elements of 4 bytes a round, at the partner's 0 of 0"));
    gpu::Channel<float> fraction(4, stream_);
    CHECK(has(refusal([&] { fraction.connect(offer); }), "carry elements of one type"));
    CHECK(has(refusal([&] { other.connect(offer); }), "connected with itself"));
    CHECK(refusal([&] { one.connect(offer); }).empty());
    CHECK(has(refusal([&] { one.connect(offer); }), "each pair of partners makes its own"));
    CHECK(one.end().is_connected());
    CHECK_FALSE(gpu::ChannelEnd<std::uint32_t>{}.is_connected());
    CHECK(one.end().count == 4);
  }
  /// The scope is that of one device only where both are on it.
  bool is_near() const { return channel_->end().scope == gpu::Scope::device; }
  std::uint32_t awaited_raises() const { return channel_->awaited().each; }
  Inbox<gpu::ChannelOffer> offers;

 private:
  std::uint32_t parts() { return index().x == 0 ? kParts : 1; }
  std::shared_ptr<Speakers> speakers_ = Speakers::shared(options_of_speakers());
  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> values_{kCount, stream_};
  gpu::Buffer<gpu::AwaitedFlag> before_{2, stream_};
  gpu::Buffer<std::uint32_t> said_{1, stream_};
  std::optional<gpu::Channel<std::uint32_t>> channel_;
  gpu::DeviceObject<Speaker> speaker_;
  std::uint32_t round_ = 0;
};

}  // namespace kaon::testing::channels

namespace kaon::testing {
namespace {

using channels::Host;

bool are_on_one_device = false;

Task<> speak(Runtime& runtime) {
  const auto hosts = co_await runtime.create<Host>(2);
  co_await hosts.call_all<&Host::connect>(kaon::sum);
  // The second begins where rounds of the other place come, and the third is one round.
  for (const std::uint32_t stop : {21U, 42U, 43U}) {
    const auto [one, other] = co_await all(hosts[0].call<&Host::speak>(stop), hosts[1].call<&Host::speak>(stop));
    CHECK(one);
    CHECK(other);
  }
  CHECK_AWAITED(hosts[0].call<&Host::awaited_raises>(), 1);
  CHECK_AWAITED(hosts[1].call<&Host::awaited_raises>(), channels::kParts);
}

Task<> check_nearness(Runtime& runtime) {
  const auto hosts = co_await runtime.create<Host>(2);
  co_await hosts.call_all<&Host::connect>(kaon::sum);
  for (const int i : {0, 1}) CHECK_AWAITED(hosts[i].call<&Host::is_near>(), are_on_one_device);
}

}  // namespace

TEST_CASE("rounds of a channel arrive in memory of the partner, wherever he is", "[device][channel]") {
  run_on_devices(speak);
}

TEST_CASE("rounds of a channel arrive on another device of the process", "[device][channel]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 2};
  settings.devices = 2;
  DeviceScene scene(settings);
  scene.run(speak);
}

TEST_CASE("a channel knows whether both of its ends are on one device", "[device][channel]") {
  for (const auto& [shape, devices, is_one] :
       {std::tuple(Network::Shape{1, 1}, 1, true), std::tuple(Network::Shape{1, 2}, 1, true),
        std::tuple(Network::Shape{1, 2}, 2, false), std::tuple(Network::Shape{2, 1}, 1, false)}) {
    DeviceSceneSettings settings;
    settings.shape = shape;
    settings.devices = devices;
    are_on_one_device = is_one;
    DeviceScene scene(settings);
    scene.run(check_nearness);
  }
}

TEST_CASE("a channel is not made or connected wrongly", "[device][channel][bad input]") {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::misuse>();
  });
}

TEST_CASE("rounds of gangs reach a device that is out of reach", "[device][channel]") {
  for (const bool stages_all : {true, false}) {
    DeviceSceneSettings settings;
    settings.shape = {2, 1};
    settings.stages_all = stages_all;
    settings.has_peer_access = stages_all;
    DeviceScene scene(settings);
    scene.run(speak);
  }
}

}  // namespace kaon::testing

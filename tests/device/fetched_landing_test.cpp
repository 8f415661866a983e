// SPDX-License-Identifier: Apache-2.0
// Payloads of other processes that are fetched into landings, in the order of a stream: their entries run before they
// are there.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace fetched_landing {

constexpr std::size_t kSize = 1000;

/// Lets payloads land in a buffer of one stream in the order of another one, perhaps as registered memory, and frees it
/// as soon as their entry runs.
class Freeing : public Chare<Freeing> {
 public:
  using Values = Payload<int>;
  explicit Freeing(bool registers) : registers_(registers) {}

  Task<> take(Values) {
    registration_.reset();
    landed_.reset();
    gpu::Buffer<int> next(kSize, home_);  // which may be the same memory
    home_.fill(next.span(), 0x5a);
    co_await landing_.drained();
    co_await home_.drained();
    gpu::Pinned<int> seen(kSize, home_);
    home_.copy(seen, next.span());
    co_await home_.drained();
    for (std::size_t i = 0; i < kSize; ++i) good_ += seen[i] == 0x5a5a5a5a;
  }
  Landing post(PostFor<&Freeing::take>, const Values&) {
    landed_.emplace(kSize, home_);
    if (registers_) registration_.emplace(landed_->data(), landed_->size_bytes());
    return Landing::into(registers_ ? registration_->span<int>(0, kSize) : landed_->span(), landing_);
  }
  void give(PeId to) { array()[static_cast<int>(to)].send<&Freeing::take>(made_on(home_, kSize, 1)); }
  int good() const { return good_; }

 private:
  gpu::Stream home_, landing_;
  std::optional<gpu::Buffer<int>> landed_;
  std::optional<gpu::Registration> registration_;
  bool registers_;
  int good_ = 0;
};

/// Copies what comes and lets it go at once, while its sender makes the next ones of the same memory.
class Hasty : public Chare<Hasty> {
 public:
  using Values = Payload<int>;

  void take(Values values) {
    kept_.emplace_back(values.size(), stream_);
    stream_.copy(kept_.back().span(), values.view(stream_));
  }
  void land(Values) {}
  Landing post(PostFor<&Hasty::land>, const Values& values) {
    kept_.emplace_back(values.size(), stream_);
    return Landing::into(kept_.back().span(), stream_);
  }
  Task<> give(PeId to, bool lands, int count) {
    const auto other = array()[static_cast<int>(to)];
    for (int i = 0; i < count; ++i) {
      if (lands)
        other.send<&Hasty::land>(made_on(stream_, kSize, i));
      else
        other.send<&Hasty::take>(made_on(stream_, kSize, i));
      co_await stream_.drained();
    }
  }
  /// How many have come whole, in their order.
  Task<int> whole() {
    int count = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      gpu::Pinned<int> seen(kSize, stream_);
      stream_.copy(seen, kept_[i].span());
      co_await stream_.drained();
      bool is_whole = true;
      for (std::size_t k = 0; k < kSize; ++k) is_whole &= seen[k] == static_cast<int>(i + k);
      count += is_whole ? 1 : 0;
    }
    co_return count;
  }

 private:
  gpu::Stream stream_;
  std::vector<gpu::Buffer<int>> kept_;
};

template <bool kRegisters>
Task<> free_landings(Runtime& runtime) {
  const Group<Freeing> freeing = co_await runtime.create_group<Freeing>(kRegisters);
  freeing[0].send<&Freeing::give>(1U);
  co_await runtime.quiescence();
  const int good = co_await freeing.call_all<&Freeing::good>(kaon::sum);
  CHECK(good == static_cast<int>(kSize));
}

template <bool kLands>
Task<> take_in_haste(Runtime& runtime) {
  const Group<Hasty> hasty = co_await runtime.create_group<Hasty>();
  hasty[0].send<&Hasty::give>(1U, kLands, 40);
  co_await runtime.quiescence();
  const int whole = co_await hasty.call_all<&Hasty::whole>(kaon::sum);
  CHECK(whole == 40);
}

}  // namespace fetched_landing

using namespace fetched_landing;

TEST_CASE("a landing's memory that its entry frees at once is used again behind the copy", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{21}));
  for (const auto main_task : {&free_landings<false>, &free_landings<true>}) {
    DeviceScene scene(settings);
    scene.run(main_task);
    CHECK(scene.network().pe(0).exchange().transfers()[Route::fetched].payloads == 1);
  }
}

TEST_CASE("a sender's memory is used again only when a stream has read it there", "[device][fetched]") {
  DeviceSceneSettings settings;
  settings.seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{11}));
  for (const auto main_task : {&take_in_haste<false>, &take_in_haste<true>}) {
    DeviceScene scene(settings);
    scene.run(main_task);
    CHECK(scene.network().pe(0).exchange().transfers()[Route::fetched].payloads == 40);
  }
}

}  // namespace kaon::testing

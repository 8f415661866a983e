// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// In which order a worker takes tasks that wait for flags and those that come, and what it keeps of them.
#include <optional>
#include <vector>

#include "kaon/gpu/resident/device/awaiting_tasks.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/gang.kernels.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::awaiting {

using Strips = gpu::Resident<StripEntries>;
using Handle = gpu::DeviceObject<Strip>;
constexpr std::uint32_t kTurns = 20'000;  // for others to come between; far fewer are needed

/// A strip of one worker, which waits for many flags, and one of another worker for each of these.
class Host : public Chare<Host> {
 public:
  /// Flag i must be raised i + 1 times.
  Task<> begin(std::uint32_t flags, double idle_us) {
    gpu::ResidentOptions options;
    options.workers = 2;
    options.threads = 64;
    options.idle_us = idle_us;
    strips_.emplace(options);
    flags_ = gpu::Buffer<std::uint32_t>(flags + 1, stream_);  // a count behind them
    awaited_ = gpu::Buffer<gpu::AwaitedFlag>(flags, stream_);
    stream_.fill(flags_.span(), 0);
    const gpu::Pinned<gpu::AwaitedFlag> awaited(flags, stream_);
    for (std::uint32_t i = 0; i < flags; ++i) awaited[i] = {{flags_.data() + i}, i + 1, gpu::Scope::system};
    stream_.copy(awaited_.span(), awaited);
    co_await stream_.drained();
    flags_.move_to(strips_->stream());
    awaited_.move_to(strips_->stream());
    std::uint32_t* const count = flags_.data() + flags;
    one_ = co_await strips_->make_on(0, Strip{1, {count, count}, {}, {}, {}, {awaited_.data(), flags}});
    for (std::uint32_t i = 0; i < flags; ++i)
      raisers_.push_back(co_await strips_->make_on(1, Strip{1, {}, {}, {}, {flags_.data() + i}, {}}));
  }
  /// Raises all but one of them, which comes last.
  Task<bool> await_all(std::uint32_t last) {
    strips_->send(one_, CountWhen{1, 1});
    for (std::uint32_t i = 0; i < raisers_.size(); ++i)
      if (i != last) co_await strips_->call(raisers_[i], Raise{i + 1});
    if (last > 0) co_await strips_->call(raisers_[last], Raise{last});  // once is missing
    const std::uint32_t before = co_await counted();
    co_await strips_->call(raisers_[last], Raise{1});
    std::uint32_t after = 0;
    for (std::uint32_t i = 0; i < kTurns && after == 0; ++i) after = co_await counted();
    co_return before == 0 && after == 1;
  }
  /// What waits for flags that are reached again and again; something else is sent to its worker.
  Task<std::uint32_t> linger() {
    const auto [count, done] = co_await all(lingered(), send_count());
    co_return count;
  }
  /// What sends itself to its worker again and again; something else waits there for flags that are reached.
  Task<std::uint32_t> insist() {
    strips_->send(one_, Insist{kTurns});
    strips_->send(one_, CountWhen{0, 1});
    std::uint32_t count = 0;
    while (count == 0) count = co_await counted();
    co_return count;
  }
  Task<std::uint32_t> counted() { co_return co_await strips_->call(one_, TakeCount{}); }

 private:
  Task<std::uint32_t> lingered() { co_return co_await strips_->call(one_, Linger{kTurns}); }
  Task<int> send_count() {
    strips_->send(one_, CountOne{});
    co_return 0;
  }

  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> flags_;
  gpu::Buffer<gpu::AwaitedFlag> awaited_;
  std::optional<Strips> strips_;
  Handle one_;
  std::vector<Handle> raisers_;
};

/// `entry` returns how many tasks have run, which is one.
template <auto entry>
Task<> check_one(Runtime& runtime) {
  const Proxy<Host> hosts = co_await runtime.create<Host>(1);
  co_await hosts[0].call<&Host::begin>(1U, 1000.0);
  const std::uint32_t count = co_await hosts[0].call<entry>();
  CHECK(count == 1);
}

}  // namespace kaon::testing::awaiting

namespace kaon::testing {

using awaiting::Host;

TEST_CASE("a task waits for each of many flags, copied or not", "[device][resident][gang]") {
  static_assert(gpu::AwaitedFlags::kCopied == 8);
  for (const std::uint32_t count : {1U, 8U, 9U, 20U})
    for (const std::uint32_t last : {0U, count / 2, count - 1})
      run_on_devices([&](Runtime& runtime) -> Task<> {
        const auto hosts = co_await runtime.create<Host>(1);
        co_await hosts[0].call<&Host::begin>(count, 1000.0);
        const bool is_right = co_await hosts[0].call<&Host::await_all>(last);
        CHECK(is_right);
      });
}

TEST_CASE("a kernel that parks at once does not while a task waits", "[device][resident][gang]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin>(3U, 0.0);
    const bool is_right = co_await hosts[0].call<&Host::await_all>(1U);
    CHECK(is_right);
  });
}

TEST_CASE("what comes to a worker is taken between tasks whose flags are reached", "[device][resident][gang]") {
  run_on_devices(awaiting::check_one<&Host::linger>);
}

TEST_CASE("tasks whose flags are reached are taken between those that come", "[device][resident][gang]") {
  run_on_devices(awaiting::check_one<&Host::insist>);
}

}  // namespace kaon::testing

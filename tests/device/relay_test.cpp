// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// What an entry has written is seen by the next one, of another worker, and by whom it tells, whichever way its task
// takes: an order that is missing is a data race for ThreadSanitizer, see HostOrder.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/relay.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::relay {

constexpr std::uint32_t kRunners = 4, kRounds = 40;

gpu::ResidentOptions options_of(bool are_warps) {
  gpu::ResidentOptions options;
  options.workers = are_warps ? 1 : kRunners;
  options.warp_blocks = are_warps ? kRunners : 0;
  options.threads = 32;
  options.ring = 4;
  return options;
}

class Host : public Chare<Host> {
 public:
  template <class Entries, class Start, bool through_peers = false>
  Task<bool> run() {
    using Object = typename Start::Object;
    gpu::Resident<Entries> runners(options_of(Object::kIsWarpSized));
    co_await lay_baton();
    const auto told = runners.template on_host<std::uint32_t>(
        [&](std::uint32_t round) { this->self().template send<&Host::rounds>(round); });
    const auto first = co_await enlist<Object, through_peers>(runners, told);
    runners.send(first, Start{0});
    const std::uint32_t round = co_await rounds.next();
    const bool is_right = co_await has_come();
    runners.keep(std::move(*baton_));
    co_return round == kRounds&& is_right;
  }
  /// The last one tells nobody.
  Task<> begin() {
    runners_.emplace(options_of(false));
    co_await lay_baton();
    runners_->send(co_await enlist<BlockRunner>(*runners_, {}), Run<BlockRunner>{0});
  }
  /// Whether all have had the baton.
  Task<bool> has_come() {
    stream_->copy(*seen_, baton_->span());
    co_await stream_->drained();
    co_return std::count(std::begin((*seen_)[0].numbers), std::end((*seen_)[0].numbers), kRounds) == Baton::kNumbers;
  }
  Inbox<std::uint32_t> rounds;

 private:
  Task<> lay_baton() {
    stream_.emplace();
    baton_.emplace(1, *stream_);
    seen_.emplace(1, *stream_);
    std::fill(std::begin((*seen_)[0].numbers), std::end((*seen_)[0].numbers), 0U);
    stream_->copy(baton_->span(), *seen_);
    co_await stream_->drained();
  }
  /// The first of them.
  template <class Object, bool through_peers = false, class Runners>
  Task<gpu::DeviceObject<Object>> enlist(Runners& runners, gpu::HostTarget<std::uint32_t> told) {
    std::vector<gpu::DeviceObject<Object>> objects;
    for (std::uint32_t i = 0; i < kRunners; ++i)
      objects.push_back(co_await runners.make(Object{baton_->data(), {}, {}, 0}));
    std::vector<gpu::DeviceObject<Object>> nexts = objects;
    if constexpr (through_peers) nexts = co_await as_of_peer(runners, objects);
    for (std::uint32_t i = 0; i < kRunners; ++i) {
      const Enlist<Object> enlist{nexts[(i + 1) % kRunners], told, kRounds};
      co_await runners.call(objects[i], enlist);
    }
    co_return objects[0];
  }
  /// The peer is the scheduler itself.
  template <class Runners, class Object>
  static Task<std::vector<Object>> as_of_peer(Runners& runners, const std::vector<Object>& objects) {
    gpu::ResidentLink out = co_await runners.make_link(), in = co_await runners.make_link();
    (void)co_await runners.connect(in, out.offer());
    const gpu::ResidentPeer peer = co_await runners.connect(out, in.offer());
    std::vector<Object> far;
    for (const Object& object : objects) far.push_back(peer.object(object));
    co_return far;
  }

  std::optional<gpu::Stream> stream_;
  std::optional<gpu::Buffer<Baton>> baton_;
  std::optional<gpu::Pinned<Baton>> seen_;
  std::optional<gpu::Resident<RunEntries>> runners_;  // goes before what its entries use
};

template <class Entries, class Start, bool through_peers = false>
void check() {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    const auto host = hosts[0];
    CHECK_AWAITED((host.template call<&Host::run<Entries, Start, through_peers>>()), true);
  });
}

}  // namespace kaon::testing::relay

namespace kaon::testing {

TEST_CASE("an entry sees what the one has written that sent it", "[device][resident][relay]") {
  relay::check<RunEntries, Run<BlockRunner>>();
}

TEST_CASE("who knows that nothing goes on sees what entries have written", "[device][resident][relay]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<relay::Host>(1);
    hosts[0].send<&relay::Host::begin>();
    co_await runtime.quiescence();
    CHECK_AWAITED(hosts[0].call<&relay::Host::has_come>(), true);
  });
}

TEST_CASE("an entry of a warp sees what the one has written that sent it", "[device][resident][relay]") {
  relay::check<WarpRunEntries, Run<WarpRunner>>();
}

TEST_CASE("an urgent entry sees what the one has written that sent it", "[device][resident][relay]") {
  relay::check<UrgentRunEntries, RunFirst<BlockRunner>>();
}

TEST_CASE("where entries look for flags they see what the one has written that sent them",
          "[device][resident][relay]") {
  relay::check<AwaitingRunEntries, Run<BlockRunner>>();
}

TEST_CASE("an entry sees what one of a peer has written that sent it", "[device][resident][relay]") {
  relay::check<FarRunEntries, Run<BlockRunner>, true>();
  relay::check<FarRunEntries, RunFirst<BlockRunner>, true>();
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
// threads: threads of a block, which run together
// Entries that are run by warps, beside those of blocks.
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/device/warp.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::warps {

using Drops = gpu::Resident<DropEntries>;
using Handle = gpu::DeviceObject<Drop>;

gpu::ResidentOptions options_of(unsigned workers, unsigned warp_blocks, unsigned ring = 16, unsigned held = 64) {
  gpu::ResidentOptions options;
  options.workers = workers;
  options.warp_blocks = warp_blocks;
  options.threads = 192;
  options.ring = ring;
  options.held = held;
  return options;
}
bool is_right(const LaneFacts& facts) {
  const std::uint32_t n = facts.lanes;
  return facts.warps == 1 && facts.sum == n * (n - 1) / 2 && facts.least == 3 && facts.most == n + 4 &&
         facts.before_last == n * (n - 1) / 2 && facts.through_last == n * (n + 1) / 2;
}

class Host : public Chare<Host> {
 public:
  /// Each drop keeps its own value, in the order of what was sent.
  Task<bool> call() {
    Drops drops(options_of(0, 2));
    std::vector<Handle> all;
    for (std::uint64_t i = 0; i < 15; ++i) all.push_back(co_await drops.make(Drop{1000 * i, {}, {}, {}, {}}));
    for (const Handle& drop : all) drops.send(drop, AddToDrop{1});
    for (const Handle& drop : all) drops.send(drop, AddToDrop{2});
    bool are_right = true;
    for (std::uint64_t i = 0; i < all.size(); ++i)
      are_right &= co_await drops.call(all[i], AddToDrop{4}) == 1000 * i + 7;
    for (const Handle& drop : all) {
      const LaneFacts facts = co_await drops.call(drop, ReadLanes{});
      are_right &= is_right(facts);
    }
    co_return are_right;
  }
  /// Through drops, which are warps', and pools, which are blocks' or gangs', and to the host at last.
  Task<std::uint64_t> flow(std::uint32_t drops_count, std::uint32_t parts, std::uint32_t steps) {
    Drops drops(options_of(2, 1, 4));
    const auto told =
        drops.on_host<std::uint32_t, std::uint64_t>([&](std::uint32_t, std::uint64_t total) { notify(total); });
    std::vector<Handle> ring;
    for (std::uint32_t i = 0; i < drops_count; ++i) ring.push_back(co_await drops.make(Drop{0, {}, {}, told, {}}));
    for (std::uint32_t i = 0; i < drops_count; ++i) {
      const Handle next = ring[(i + 1) % drops_count];
      const gpu::DeviceObject<Pool> pool = co_await drops.make_gang(parts, Pool{0, next});
      drops.send(ring[i], MeetDrop{next, pool});
    }
    for (const Handle& drop : ring) co_await drops.call(drop, AddToDrop{0});
    drops.send(ring[0], Flow{steps, 0});
    co_return co_await sum.next();
  }
  /// More tasks and notices than rings have places for.
  Task<bool> flood(std::uint32_t count) {
    Drops drops(options_of(1, 1, 4));
    std::vector<std::uint32_t> heard;
    const auto told =
        drops.on_host<std::uint32_t, std::uint64_t>([&](std::uint32_t i, std::uint64_t) { heard.push_back(i); });
    const Handle drop = co_await drops.make(Drop{0, {}, {}, told, {}});
    for (std::uint32_t i = 0; i < count; ++i) drops.send(drop, AddToDrop{1});
    const bool has_waited = drops.waiting() > 0;
    const std::uint64_t value = co_await drops.call(drop, AddToDrop{0});
    co_await drops.call(drop, Patter{count});
    std::vector<std::uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    co_return has_waited&& value == count&& heard == expected;
  }
  /// Drops in turns, whose entries make more than rings hold.
  Task<> split(std::uint32_t depth, unsigned held, double idle_us) {
    gpu::ResidentOptions options = options_of(1, 1, 4, held);
    options.idle_us = idle_us;
    drops_.emplace(options);
    for (int i = 0; i < 4; ++i) all_.push_back(co_await drops_->make(Drop{}));
    for (std::size_t i = 0; i < 4; ++i) drops_->send(all_[i], MeetDrop{all_[(i + 1) % 4], {}});
    for (const Handle& drop : all_) co_await drops_->call(drop, AddToDrop{0});
    drops_->send(all_[0], Split{depth});
  }
  void add(std::uint64_t amount) { drops_->send(all_[0], AddToDrop{amount}); }
  Task<std::uint64_t> total() {
    std::uint64_t total = 0;
    for (const Handle& drop : all_) total += co_await drops_->call(drop, AddToDrop{0});
    co_return total;
  }
  /// Several warps for one object, which need not be of one block.
  Task<bool> run_gang() {
    Drops drops(options_of(1, 2));
    const gpu::DeviceFlag sum = co_await drops.make_flag();
    const Handle gang = co_await drops.make_gang(5, Drop{});
    const std::uint32_t parts = co_await drops.call(gang, AddPart{sum.word().word});
    const Handle reader = co_await drops.make(Drop{0, {}, {}, {}, {sum.word()}});
    drops.send(reader, AddWhen{5 * 1 + 10 * (0 + 1 + 2 + 3 + 4), 1});
    std::uint64_t value = 0;
    while (value == 0) value = co_await drops.call(reader, AddToDrop{0});
    co_return parts == 5 && value == 1;
  }
  /// Tasks that wait for a flag, which is raised afterwards.
  Task<> wait_for_flag(std::uint32_t times, std::uint32_t count) {
    drops_.emplace(options_of(1, 1));
    const gpu::DeviceFlag flag = co_await drops_->make_flag();
    for (int i = 0; i < 2; ++i) all_.push_back(co_await drops_->make(Drop{0, {}, {}, {}, {flag.word()}}));
    drops_->send(all_[0], AddWhen{times, count});
    drops_->send(all_[1], RaiseDrop{times});
  }
  Task<std::string> refuse_object() {
    Drops drops(options_of(1, 0));
    std::string text;
    try {
      (void)co_await drops.make(Drop{});
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  std::string refuse_options() {
    return thrown<UsageError>([&] { Cells(options_of(1, 1)); });
  }
  Inbox<std::uint64_t> sum;

 private:
  void notify(std::uint64_t total) { self().send<&Host::sum>(total); }
  std::optional<Drops> drops_;
  std::vector<Handle> all_;
};

DeviceSceneSettings one_pe() {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  return settings;
}

}  // namespace kaon::testing::warps

namespace kaon::testing {

using warps::Host;

TEST_CASE("warps run the entries of their objects, each for itself", "[device][resident][warp]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(static_cast<int>(runtime.pes()));
    for (std::uint32_t i = 0; i < runtime.pes(); ++i) CHECK_AWAITED(hosts[i].call<&Host::call>(), true);
  });
}

TEST_CASE("entries of warps, of blocks and of gangs send to each other", "[device][resident][warp]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_AWAITED(hosts[0].call<&Host::flow>(3U, 1U, 8U), 9);
    CHECK_AWAITED(hosts[0].call<&Host::flow>(1U, 1U, 100U), 52 * 53 / 2);
    CHECK_AWAITED(hosts[0].call<&Host::flow>(3U, 2U, 8U), 9);
  });
}

TEST_CASE("more tasks and notices of warps than rings hold keep their order", "[device][resident][warp]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_AWAITED(hosts[0].call<&Host::flood>(100U), true);
  });
}

TEST_CASE("quiescence knows of what warps do, and those that have parked come back", "[device][resident][warp]") {
  for (const double idle_us : {1000.0, 0.0})
    run_on_devices([idle_us](Runtime& runtime) -> Task<> {
      const auto hosts = co_await runtime.create<Host>(1);
      hosts[0].send<&Host::split>(6U, 200U, idle_us);
      co_await runtime.quiescence();
      for (std::uint64_t i = 1; i <= 10; ++i) {
        hosts[0].send<&Host::add>(1000 * i);
        co_await runtime.quiescence();
      }
      CHECK_AWAITED(hosts[0].call<&Host::total>(), 55'000 + (std::uint64_t{1} << 7) - 1);
    });
}

TEST_CASE("a gang of warps", "[device][resident][warp][gang]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_AWAITED(hosts[0].call<&Host::run_gang>(), true);
  });
}

TEST_CASE("tasks of a warp wait for flags", "[device][resident][warp]") {
  for (const std::uint32_t count : {1U, 4U})
    run_on_devices([count](Runtime& runtime) -> Task<> {
      const auto hosts = co_await runtime.create<Host>(1);
      co_await hosts[0].call<&Host::wait_for_flag>(3U, count);
      co_await runtime.quiescence();
      CHECK_AWAITED(hosts[0].call<&Host::total>(), count);
    });
}

TEST_CASE("more tasks that wait than a warp can have are an error", "[device][resident][warp][bad input]") {
  const std::string text = fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::wait_for_flag>(3U, 5U);
    co_await runtime.quiescence();
  });
  CHECK(has(text, "has 4 tasks that wait for flags, and kaon::testing::AddToDrop is one more"));
}

TEST_CASE("more tasks than warps can hold are an error", "[device][resident][warp][bad input]") {
  const std::string text = fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    hosts[0].send<&Host::split>(12U, 8U, 1000.0);
    co_await runtime.quiescence();
  });
  CHECK(has(text, "sent 8 times, kaon::testing::Split at last, while the rings of those it sent to were full"));
}

TEST_CASE("warps for no entries and entries for no warps are refused", "[device][resident][warp][bad input]") {
  DeviceScene scene(warps::one_pe());
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse_object>(),
                       contains_text("no such warps, it has 0, those of the warp_blocks"));
    CHECK_THAT_AWAITED(hosts[0].call<&Host::refuse_options>(),
                       contains_text("whose entries are of no object of warp size"));
  });
}

}  // namespace kaon::testing

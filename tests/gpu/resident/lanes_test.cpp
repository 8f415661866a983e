// SPDX-License-Identifier: Apache-2.0
// threads: those of a warp, one after the other
// What the threads of a warp that is a worker must wait for.
#include "tests/gpu/resident/lanes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "kaon/gpu/resident/device/guest_inbox.hpp"
#include "kaon/gpu/resident/device/resident_worker.hpp"
#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kCapacity = 4;

struct LaneEntries : PlainEntries {
  static constexpr bool kHavePeers = true, kHaveUrgent = true;
};
struct LaneContext {
  using Words = LaneWords;
  static constexpr bool kIsWarp = false;
  static bool is_first() { return Lanes::lane() == 0; }
  static inline std::function<void(unsigned looks)> before_look;  // by the first thread
  static void give_way() {}
  template <class What, class Look>
  What find(Look look) {
    What what{};
    unsigned looks = 0;
    do {
      if (is_first() && before_look) before_look(looks);
    } while (!look(looks++, what));
    return what;
  }
};

/// Notes which threads had fences for all.
struct FencingWords : LaneWords {
  static inline std::array<bool, Lanes::kCount> has_fenced{};
  static void fence(Scope scope) { has_fenced[lane()] = scope == Scope::system; }
};

/// A warp that is the only worker.
struct Warp {
  using Output = WorkerOutput<LaneEntries, LaneContext>;
  using Worker = ResidentWorker<LaneEntries, LaneContext>;
  ResidentRings rings{1, kCapacity};
  std::vector<PeerWords> words = std::vector<PeerWords>(2);
  std::vector<CommandSlot> slots = std::vector<CommandSlot>(2UL * kCapacity);
  std::unique_ptr<Output::Shared> shared = std::make_unique<Output::Shared>();
  Output output{rings.view, 0, *shared};

  Warp() {
    LaneContext::before_look = nullptr;
    rings.view.peers[0] = {slots.data(), words.data(), slots.data(), words.data(), kCapacity};
  }
  /// Each thread does it with what it knows of the worker.
  template <class Act>
  bool run(Act act) {
    return Lanes::run([&] {
      LaneContext at;
      Worker worker(at, output, *shared);
      if (at.is_first()) worker.begin();
      LaneWords::sync_warp();
      act(worker);
    });
  }
  std::uint32_t number() const { return shared->command.words[Command::kWords - 1] - (Command::kWords - 1); }
};

/// The next task comes as soon as there is room for it.
void check_refilled(const CommandRing& ring, std::uint32_t number_behind) {
  Command command{};
  CHECK(Lanes::run([&] {
    ring.take_by_second_look<LaneWords>(0, command);
    if (Lanes::lane() != 0) return;
    ring.free<LaneWords>(1);
    put(ring.slots[0], kCapacity, command_of(number_behind));
  }));
  const Command expected = command_of(1);
  for (unsigned i = 0; i < Command::kWords; ++i) CHECK(command.words[i] == expected.words[i]);
}

}  // namespace

TEST_CASE("a slot is free when all threads of a warp have looked for the second time", "[gpu][ring]") {
  const ResidentRings rings(1, kCapacity);
  const CommandRing ring = rings.view.from_device(0);
  put(ring.slots[0], 0, command_of(1));
  check_refilled(ring, 100);
}

TEST_CASE("threads of a warp agree that a peer is new while the first one notes it", "[gpu][ring]") {
  Warp warp;
  put(warp.rings.view.from_device(0).slots[0], 0, command_of(1));
  put(warp.rings.view.from_device(0).slots[1], 1, command_of(2));
  CHECK(warp.run([&](Warp::Worker& worker) {
    warp.rings.view.shared->peers = 1;
    worker.next();
    LaneWords::sync_warp();
    worker.next();
  }));
  CHECK(warp.shared->from_peers.peers == 1);
  CHECK(warp.number() == 2);
}

TEST_CASE("a warp that waits takes what a peer has sent that was connected meanwhile", "[gpu][ring]") {
  Warp warp;
  SharedWords& shared = *warp.rings.view.shared;
  LaneContext::before_look = [&](unsigned looks) {
    if (looks == 5) put(warp.slots[0], 0, command_of(1)), shared.peers = 1;
    if (looks == 5000) shared.park = static_cast<std::uint32_t>(Park::now);  // else it would wait for ever
  };
  CHECK(warp.run([](Warp::Worker& worker) { worker.next(); }));
  CHECK(warp.shared->turn == Turn::from_peer);
  CHECK(warp.number() == 1);
}

TEST_CASE("a warp takes what comes by each of its rings whole, and by turns", "[gpu][ring]") {
  Warp warp;
  const ResidentView& view = warp.rings.view;
  view.shared->peers = 1;
  put(view.urgent(0).slots[0], 0, command_of(100));
  put(warp.slots[kCapacity], 0, command_of(200));  // of the peer, urgent
  for (std::uint32_t i = 0; i < 2; ++i) {
    put(warp.slots[i], i, command_of(300 + i));
    put(view.from_device(0).slots[i], i, command_of(400 + i));
    put(view.from_dispatcher(0).slots[i], i, command_of(500 + i));
  }
  std::vector<std::uint32_t> numbers;
  CHECK(warp.run([&](Warp::Worker& worker) {
    for (int i = 0; i < 8; ++i) {
      worker.next();
      LaneWords::sync_warp();
      if (Lanes::lane() == 0) numbers.push_back(warp.number());
    }
  }));
  CHECK(numbers == std::vector<std::uint32_t>{100, 200, 400, 300, 500, 301, 401, 501});
}

TEST_CASE("each thread that has looked at a guest's task acquires what was written before", "[gpu][ring]") {
  const ResidentRings rings(1, kCapacity, 1);
  put(rings.view.from_guest(0).slots[0], 0, command_of(1));
  GuestInboxShared shared{};
  Command command{};
  CHECK(Lanes::run([&] {
    const GuestInbox<FencingWords> inbox(rings.view, shared);
    if (Lanes::lane() == 0) inbox.begin();
    LaneWords::sync_warp();
    GuestInbox<FencingWords>::Found found{};
    if (inbox.find(found)) inbox.take(found, command);
  }));
  CHECK(command.words[Command::kWords - 1] == Command::kWords);
  CHECK(std::all_of(FencingWords::has_fenced.begin(), FencingWords::has_fenced.end(), [](bool has) { return has; }));
}

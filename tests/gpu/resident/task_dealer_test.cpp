// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device/task_dealer.hpp"

#include <functional>
#include <tuple>

#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kWorkers = 3, kCapacity = 4, kUrgentEntry = 2;

/// Entries as the dealer sees them.
struct DealtEntries : PlainEntries {
  static constexpr bool kHaveUrgent = true;
  static bool is_urgent_one(std::uint32_t entry) { return entry == kUrgentEntry; }
};

/// One thread. What the test says happens at the fifth look of each wait.
struct OneThread {
  using Words = HostWords;
  std::function<void()> meanwhile = [] {};
  FlagWord raised{};
  std::uint32_t raised_by = 0;
  unsigned looks_in_all = 0;

  template <class What, class Look>
  What find(Look look) {
    What what{};
    for (unsigned looks = 1; !look(looks, what); ++looks) {
      if (looks == 5) meanwhile();
      REQUIRE(++looks_in_all < 1000);  // else it would wait for ever
    }
    return what;
  }
  void raise(const FlagWord& flag, std::uint32_t by) { raised = flag, raised_by = by; }
};

struct Dealt {
  ResidentRings rings{kWorkers, kCapacity};
  DispatcherShared shared{};
  OneThread at;
  TaskDealer<DealtEntries, OneThread> dealer{rings.view, at, shared};

  Dealt() { rings.view.entry_patience_ns = ~std::uint64_t{0}; }
  static Command task(std::uint32_t entry, std::uint32_t first, std::uint32_t parts, std::uint32_t number = 0) {
    EntryCommand task{{task::workers(first, parts) | entry}};
    task.arguments[0] = number;
    return to_command(task);
  }
  /// How many lie in a ring from its first place on.
  static std::uint32_t count_in(const CommandRing& ring) {
    std::uint32_t count = 0;
    HostWords::Line line;
    for (;; ++count) {
      if (count == ring.capacity) return count;
      ring.look_at<HostWords>(count, line);
      if (!line.is_of(epoch_at(count))) return count;
    }
  }
  std::uint32_t forwarded(std::uint32_t worker) { return count_in(rings.view.from_dispatcher(worker)); }
  std::uint32_t urgent(std::uint32_t worker) { return count_in(rings.view.urgent(worker)); }
  std::uint64_t made() { return rings.view.shared->activity; }  // nothing is finished
  ResidentFault fault() { return static_cast<ResidentFault>(rings.view.host->fault); }
  void run(std::uint32_t worker, std::uint32_t entry, std::uint32_t number) {
    rings.view.running[worker] = number << task::kEntryBits | entry;
  }
};

}  // namespace

TEST_CASE("each part of an object gets a task, of which the host has counted one", "[gpu][ring]") {
  Dealt of;
  of.dealer.hand_on(Dealt::task(1, 1, 1));
  CHECK(of.made() == 0);
  of.dealer.hand_on(Dealt::task(1, 0, 3));
  CHECK(of.made() == 2);
  CHECK(std::tuple(of.forwarded(0), of.forwarded(1), of.forwarded(2)) == std::tuple(1U, 2U, 1U));
  of.dealer.hand_on_urgent(Dealt::task(kUrgentEntry, 1, 2));
  CHECK(of.made() == 3);
  CHECK(std::tuple(of.urgent(0), of.urgent(1), of.urgent(2)) == std::tuple(0U, 1U, 1U));
  CHECK(of.rings.view.shared->urgent_taken == 1);
  CHECK(of.rings.view.host->urgent_taken == 1);
}

TEST_CASE("a task for no worker raises a flag as often as it says, and is never urgent", "[gpu][ring]") {
  Dealt of;
  std::uint32_t word = 0;
  std::uint32_t* const flag = &word;
  RaiseCommand command;
  command.flag = WireAddress<std::uint32_t>::of(flag);
  command.by = 5;
  of.dealer.hand_on(to_command(command));
  CHECK(of.at.raised.word == flag);
  CHECK(of.at.raised_by == 5);
  CHECK(of.rings.view.shared->activity == tally::finished(1));
  CHECK_FALSE(of.dealer.is_urgent(Dealt::task(kUrgentEntry, 0, 0)));
  CHECK(of.dealer.is_urgent(Dealt::task(kUrgentEntry, 0, 1)));
  CHECK_FALSE(of.dealer.is_urgent(Dealt::task(kUrgentEntry + 1, 0, 1)));
}

TEST_CASE("a task that finds no room waits for it, and urgent ones go on meanwhile", "[gpu][ring]") {
  Dealt of;
  for (std::uint32_t i = 0; i < kCapacity; ++i) of.dealer.hand_on(Dealt::task(1, 0, 1));
  // Of the urgent one, in the second round of their ring, a part is missing for a while.
  of.shared.urgent_taken = kCapacity + 1;
  put(of.rings.view.urgent_host_slots[1], kCapacity + 1, Dealt::task(kUrgentEntry, 2, 1));
  of.rings.view.urgent_host_slots[1].quads[1].epoch = 0;
  unsigned waits = 0;
  of.at.meanwhile = [&] {
    CHECK(of.urgent(2) == waits++);
    if (waits == 2) of.rings.view.workers[0].host_head = 1;
    put(of.rings.view.urgent_host_slots[1], kCapacity + 1, Dealt::task(kUrgentEntry, 2, 1));
  };
  of.dealer.hand_on(Dealt::task(1, 0, 1, 77));
  CHECK(of.urgent(2) == 1);
  CHECK(of.shared.urgent_taken == kCapacity + 2);
  HostWords::Line line;
  of.rings.view.from_dispatcher(0).look_at<HostWords>(kCapacity, line);
  REQUIRE(line.is_of(epoch_at(kCapacity)));
  Command command;
  line.copy_words(command.words);
  CHECK(command_as<EntryCommand>(command).arguments[0] == 77);
}

TEST_CASE("a task that finds no room is given up after a fault", "[gpu][ring]") {
  Dealt of;
  for (std::uint32_t i = 0; i < kCapacity; ++i) of.dealer.hand_on(Dealt::task(1, 0, 1));
  of.at.meanwhile = [&] { of.rings.view.shared->park = static_cast<std::uint32_t>(Park::now); };
  of.dealer.hand_on(Dealt::task(1, 0, 1));
  CHECK(of.forwarded(0) == kCapacity);  // and none was written over
}

TEST_CASE("an entry that a worker still runs after several looks does not end", "[gpu][ring]") {
  Dealt of;
  for (std::uint32_t look = 1; look <= 5; ++look) {
    of.run(1, 7, look);  // another task each time
    of.dealer.watch();
    CHECK(of.fault() == ResidentFault::none);
  }
  of.run(1, 0, 0);
  of.run(2, 9, 3);
  for (int look = 1; look <= 2; ++look) {
    of.dealer.watch();
    CHECK(of.fault() == ResidentFault::none);
  }
  of.dealer.watch();
  CHECK(of.fault() == ResidentFault::does_not_end);
  CHECK(of.rings.view.host->faulty_entry == 9);
  CHECK(of.rings.view.shared->park == static_cast<std::uint32_t>(Park::now));
}

TEST_CASE("an entry that does not end is named while the dispatcher waits for room", "[gpu][ring]") {
  Dealt of;
  for (std::uint32_t i = 0; i < kCapacity; ++i) of.dealer.hand_on(Dealt::task(1, 0, 1));
  of.rings.view.entry_patience_ns = 0;
  of.run(0, 9, 1);
  of.dealer.hand_on(Dealt::task(1, 0, 1));
  CHECK(of.fault() == ResidentFault::does_not_end);
  CHECK(of.rings.view.host->faulty_entry == 9);
}

TEST_CASE("workers are looked at again when half of the patience for an entry is over", "[gpu][ring]") {
  Dealt of;
  constexpr std::uint64_t hour = 3'600'000'000'000;
  const std::uint64_t now = HostWords::nanoseconds();
  of.rings.view.entry_patience_ns = hour;
  of.shared.watched_at = now - hour * 2 / 5;
  CHECK_FALSE(of.dealer.must_watch(0));
  of.shared.watched_at = now - hour * 3 / 5;
  CHECK(of.dealer.must_watch(0));
  CHECK_FALSE(of.dealer.must_watch(1));  // the clock is not looked at each time
  of.dealer.watch();
  CHECK_FALSE(of.dealer.must_watch(0));
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/device/dispatcher.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "kaon/gpu/kernels/grid.hpp"
#include "tests/gpu/resident/resident_rings.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::gpu;
using namespace kaon::gpu::test;

namespace {

constexpr std::uint32_t kWorkers = 2, kCapacity = 4, kHostCapacity = 2 * kCapacity;
constexpr std::uint64_t kSecond = 1'000'000'000;

/// The clock goes on with each look at it, and what is loaded may just have changed.
struct SteppedWords : HostWords {
  static inline std::uint64_t now = 0;
  static inline std::function<void(const std::uint64_t*)> before_load;
  static std::uint64_t nanoseconds() { return now += kSecond / 100; }
  static std::uint64_t load(const std::uint64_t* word) {
    if (before_load) before_load(word);
    return HostWords::load(word);
  }
  static std::uint32_t load(const std::uint32_t* word, Scope scope) { return HostWords::load(word, scope); }
};

/// The dispatcher's only thread. The test acts before each turn, and between looks.
struct OneThread {
  using Words = SteppedWords;
  std::function<void(unsigned turn)> before_turn = [](unsigned) {};
  std::function<void()> between_looks = [] {};
  std::function<void()> at_sync = [] {};
  std::vector<std::uint32_t> raised;
  unsigned turns = 0, looks_in_all = 0;

  template <class What, class Look>
  What find(Look look) {
    REQUIRE(turns < 1000);  // else it would go on for ever
    before_turn(++turns);
    What what{};
    for (unsigned looks = 0; !look(looks, what); ++looks) {
      REQUIRE(++looks_in_all < 100'000);  // else it would look for ever
      between_looks();
    }
    return what;
  }
  void raise(const FlagWord&, std::uint32_t by) { raised.push_back(by); }
  void sync() { at_sync(); }
  static bool is_first() { return true; }
  static bool is_in_first_warp() { return true; }
  static Extent thread() { return {0, 0, 0}; }
  static Extent threads() { return {1, 1, 1}; }
};

template <bool has_peers, bool has_guests>
struct EntriesOf : PlainEntries {
  static constexpr bool kHaveUrgent = true, kHavePeers = has_peers, kHaveGuests = has_guests;
};

template <bool has_peers = false, bool has_guests = true>
struct Launch {
  ResidentRings rings{kWorkers, kCapacity, 1};
  ResidentView& view = rings.view;
  DispatcherShared shared{};
  OneThread at;
  std::uint32_t given = 0, given_by_guest = 0;

  Launch() {
    SteppedWords::now = 5 * kSecond;
    SteppedWords::before_load = nullptr;
    view.entry_patience_ns = 10 * kSecond;
    view.idle_ns = ~std::uint64_t{0};
  }
  void run() { Dispatcher<EntriesOf<has_peers, has_guests>, OneThread>(view, at, shared).run(); }
  /// A task that raises a flag, by this number.
  static Command flag_task(std::uint32_t by) {
    RaiseCommand command;
    command.by = by;
    return to_command(command);
  }
  void give(std::uint32_t by) {
    put(view.host_slots[given % kHostCapacity], given, flag_task(by));
    ++given;
  }
  void give_by_guest(std::uint32_t by) {
    put(view.guest_slots[given_by_guest % kHostCapacity], given_by_guest, flag_task(by));
    ++given_by_guest;
  }
  std::uint32_t count_raised(std::uint32_t by) const {
    return static_cast<std::uint32_t>(std::count(at.raised.begin(), at.raised.end(), by));
  }
  void stop() { view.host->stop = 1; }
  void park(Park park) { view.shared->park = static_cast<std::uint32_t>(park); }
};

constexpr std::uint64_t activity_of(std::uint32_t made, std::uint32_t finished) {
  return tally::made(made) + tally::finished(finished);
}

}  // namespace

TEST_CASE("a dispatcher serves its owner and guests by turns while each sends without a pause", "[gpu][ring]") {
  Launch of;
  of.at.before_turn = [&of](unsigned turn) {
    while (of.given - of.view.host->host_taken < kHostCapacity) of.give(1);
    while (of.given_by_guest - of.view.guest_host[0].tasks_taken < kHostCapacity) of.give_by_guest(2);
    if (turn == 11) of.park(Park::now);
  };
  of.run();
  CHECK(of.count_raised(1) > 2 * kHostCapacity);
  CHECK(of.count_raised(2) > 2 * kHostCapacity);
}

TEST_CASE("an urgent task of the host is taken while others come without a pause", "[gpu][ring]") {
  Launch<false, false> of;
  const auto give_all = [&of] {
    REQUIRE(of.at.raised.size() < 1000);
    while (of.given - of.view.host->host_taken < kHostCapacity) of.give(1);
  };
  of.at.at_sync = give_all;
  of.at.before_turn = [&](unsigned turn) {
    give_all();
    if (turn == 2) put(of.view.urgent_host_slots[0], 0, Launch<>::flag_task(3));
    if (of.view.host->urgent_taken == 1) of.park(Park::now);
  };
  of.run();
  CHECK(of.view.host->urgent_taken == 1);
}

TEST_CASE("a dispatcher hands on all that has come whole with one look", "[gpu][ring]") {
  for (unsigned missing = 0; missing <= 4; ++missing) {
    CAPTURE(missing);
    Launch of;
    for (std::uint32_t by = 1; by <= kHostCapacity; ++by) of.give(by);
    if (missing < 4) of.view.host_slots[5].quads[missing].epoch = 0;
    of.at.before_turn = [&of](unsigned turn) {
      if (turn == 2) of.park(Park::now);
    };
    of.run();
    CHECK(of.at.raised.size() == (missing < 4 ? 5 : kHostCapacity));
    CHECK(of.view.host->host_taken == of.at.raised.size());
    CHECK(of.view.shared->host_taken == of.at.raised.size());
  }
}

TEST_CASE("after a fault a dispatcher takes nothing more", "[gpu][ring]") {
  for (const int who : {1, 2, 3}) {
    CAPTURE(who);
    Launch of;
    if (who == 1) of.give(1);
    if (who == 2) of.give_by_guest(2);
    if (who == 3) put(of.view.urgent_host_slots[0], 0, Launch<>::flag_task(3));
    of.park(Park::now);
    of.stop();
    of.run();
    CHECK(of.at.raised.empty());
    CHECK(of.view.host->urgent_taken == 0);
    CHECK(of.view.shared->park == static_cast<std::uint32_t>(Park::now));
  }
}

TEST_CASE("a launch reports what is finished, whatever was reported before", "[gpu][ring]") {
  Launch of;
  of.view.shared->activity = of.shared.reported = activity_of(7, 7);
  of.stop();
  of.run();
  CHECK(of.view.host->activity == activity_of(7, 7));
  CHECK(of.view.shared->park == static_cast<std::uint32_t>(Park::idle));
}

TEST_CASE("what is made while a dispatcher reports is not said to be finished", "[gpu][ring]") {
  Launch of;
  of.view.shared->activity = activity_of(7, 7);
  SteppedWords::before_load = [&of](const std::uint64_t* word) {
    if (word == &of.view.shared->activity && of.at.turns == 1) of.view.shared->activity = activity_of(8, 7);
  };
  of.at.before_turn = [&of](unsigned turn) {
    CHECK((of.view.host->activity == 0 || of.view.host->activity == activity_of(8, 8)));
    if (turn == 2) of.view.shared->activity = activity_of(8, 8);
  };
  of.stop();
  of.run();
  CHECK(of.view.host->activity == activity_of(8, 8));
}

TEST_CASE("traffic with peers is reported as it was when all was finished, and so is the question", "[gpu][ring]") {
  Launch<true> of;
  of.view.shared->peers = 1;
  of.view.shared->activity = activity_of(7, 7);
  of.view.shared->traffic = 4;
  of.view.host->asked = 3;
  unsigned loads = 0;
  SteppedWords::before_load = [&](const std::uint64_t* word) {
    if (word == &of.view.shared->traffic && ++loads == 2) of.view.shared->traffic = 5;
  };
  of.at.before_turn = [&of](unsigned) { CHECK(of.view.host->traffic != 4); };
  of.stop();
  of.run();
  CHECK(of.view.host->traffic == 5);
  CHECK(of.view.host->answered == 3);
}

TEST_CASE("a launch ends a second after the last change where tasks are left that wait", "[gpu][ring]") {
  Launch of;
  of.view.shared->activity = of.shared.noted = activity_of(1, 0);
  of.view.running[0] = 1;
  std::uint64_t changed = 0;
  of.at.between_looks = [&] {
    if (changed != 0 || SteppedWords::now < 5 * kSecond + kSecond / 2) return;
    changed = SteppedWords::now;
    of.view.shared->activity = activity_of(2, 0);
  };
  of.stop();
  of.run();
  REQUIRE(changed != 0);
  CHECK(SteppedWords::now > changed + kSecond);
  CHECK(SteppedWords::now < changed + 2 * kSecond);
  CHECK(of.view.workers[0].watched == 0);  // half of the patience for an entry is not over
}

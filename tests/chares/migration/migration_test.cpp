// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kaon/chares/migration/departure.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::migrations {

int alive = 0;
std::map<int, std::vector<int>> received;  // by element

class Nomad : public Chare<Nomad> {
 public:
  Nomad() { ++alive; }
  explicit Nomad(int start) : sum_(start), history_{start} { ++alive; }
  ~Nomad() { --alive; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(sum_, history_);
  }

  void add(int value) {
    sum_ += value;
    history_.push_back(value);
    received[index().x].push_back(value);
  }
  int total() const { return sum_; }
  std::vector<int> history() const { return history_; }
  PeId where() { return pe(); }
  void go(PeId to) { migrate_to(to); }
  void go_on(std::vector<PeId> stops) {
    if (stops.empty()) return;
    const PeId next = stops.back();
    stops.pop_back();
    migrate_to(next);
    self().send<&Nomad::go_on>(std::move(stops));
  }
  Task<> sleep_then_go(PeId to) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(20));
    migrate_to(to);
  }
  Task<> go_and_sleep(PeId to) {
    migrate_to(to);
    co_await this_runtime().sleep_for(std::chrono::milliseconds(50));
  }
  Task<int> ask(Element<Nomad> other) { co_return co_await other.call<&Nomad::total>(); }
  void hand(Element<Nomad> to, int from, int count) {
    for (int i = 0; i < count; ++i) to.send<&Nomad::add>(from + i);
  }
  void send_and_go(PeId to, int rounds) {
    const int count = array().shape().x;
    for (int x = 0; x < count; ++x) array()[x].send<&Nomad::add>(1);
    if (rounds > 0) self().send<&Nomad::send_and_go>((to * 5 + 3) % this_runtime().pes(), rounds - 1);
    migrate_to(to);
  }

 private:
  int sum_ = 0;
  std::vector<int> history_;
};

/// Its messages do not move with it.
class Careless : public Chare<Careless> {
 public:
  Inbox<int> numbers;
  template <class Archive>
  void pup(Archive&) {}
  void go(PeId to) { migrate_to(to); }
};

void reset() {
  received.clear();
  CHECK(alive == 0);
}

Task<> move_without_messages(Runtime& runtime) {
  const auto careless = co_await runtime.create<Careless>(1);
  careless[0].send<&Careless::numbers>(1);
  co_await runtime.quiescence();
  careless[0].send<&Careless::go>(1);
  co_await runtime.quiescence();
}

Task<> move_and_ask(Runtime& runtime) {
  const auto nomads = co_await runtime.create<Nomad>(7, 100);
  for (PeId to = 0; to < runtime.pes(); ++to) {
    for (int i = 0; i < 7; ++i) nomads[i].send<&Nomad::go>((to + static_cast<PeId>(i)) % runtime.pes());
    for (int i = 0; i < 7; ++i) nomads[i].send<&Nomad::add>(1);
    co_await runtime.quiescence();
    CHECK(alive == 7);
    for (int i = 0; i < 7; ++i) {
      const PeId where = co_await nomads[i].call<&Nomad::where>();
      const int total = co_await nomads[i].call<&Nomad::total>();
      CHECK(where == (to + static_cast<PeId>(i)) % runtime.pes());
      CHECK(total == 101 + static_cast<int>(to));
    }
  }
  const auto history = co_await nomads[6].call<&Nomad::history>();
  CHECK(history.size() == 1 + runtime.pes());
}

/// Messages from everywhere to elements on the way, forwarded as often as it takes.
Task<> move_in_a_storm(Runtime& runtime) {
  constexpr int kCount = 12, kRounds = 15;
  const auto nomads = co_await runtime.create<Nomad>(kCount, 0);
  for (int i = 0; i < kCount; ++i)
    nomads[i].send<&Nomad::send_and_go>((static_cast<PeId>(i) + 1) % runtime.pes(), kRounds);
  co_await runtime.quiescence();
  CHECK(alive == kCount);
  for (int i = 0; i < kCount; ++i) {
    const int total = co_await nomads[i].call<&Nomad::total>();
    CHECK(total == kCount * (kRounds + 1));
  }
}

Task<> go_round_and_home(Runtime& runtime) {
  const auto nomads = co_await runtime.create<Nomad>(5, 0);
  std::vector<PeId> stops;
  for (PeId i = 0; i < 3 * runtime.pes(); ++i) stops.push_back((i * 2 + 1) % runtime.pes());
  for (int i = 0; i < 5; ++i) nomads[i].send<&Nomad::go_on>(stops);
  for (int i = 0; i < 5; ++i) nomads[4 - i].send<&Nomad::hand>(nomads[i], 0, 40);
  co_await runtime.quiescence();
  for (int i = 0; i < 5; ++i) {
    const PeId where = co_await nomads[i].call<&Nomad::where>();
    CHECK(where == stops.front());
    nomads[i].send<&Nomad::go>(0);
    const int total = co_await nomads[(i + 1) % 5].call<&Nomad::ask>(nomads[i]);
    CHECK(total == 40 * 39 / 2);
    auto values = received[i];
    std::sort(values.begin(), values.end());
    REQUIRE(values.size() == 40);
    for (int value = 0; value < 40; ++value) CHECK(values[static_cast<std::size_t>(value)] == value);
  }
  co_await runtime.quiescence();
}

Task<> broadcast_after_moves(Runtime& runtime) {
  for (const int count : {3, 20, 1300}) {
    received.clear();
    const auto nomads = co_await runtime.create<Nomad>(count, 0);
    for (int i = 0; i < count; i += 2) nomads[i].send<&Nomad::go>((static_cast<PeId>(i) * 7 + 1) % runtime.pes());
    co_await runtime.quiescence();
    nomads.broadcast<&Nomad::add>(5);
    co_await runtime.quiescence();
    CHECK(received.size() == static_cast<std::size_t>(count));
    CHECK(std::all_of(received.begin(), received.end(), [](auto& each) { return each.second.size() == 1; }));
    const int total = co_await nomads.call_all<&Nomad::total>(sum);
    CHECK(total == 5 * count);
  }
}

/// Elements leave and arrive while a call_all goes through a PE's elements in several turns: it ends all the same.
Task<> move_during_call_all(Runtime& runtime) {
  const int count = 3000 * static_cast<int>(runtime.pes());
  const auto nomads = co_await runtime.create<Nomad>(count, 1);
  for (int round = 0; round < 3; ++round) {
    for (int i = round; i < count; i += 97) nomads[i].send<&Nomad::go>((static_cast<PeId>(i + round)) % runtime.pes());
    const int total = co_await nomads.call_all<&Nomad::total>(sum);
    CHECK(total > 0);
    co_await runtime.quiescence();
    const int after = co_await nomads.call_all<&Nomad::total>(sum);
    CHECK(after == count);
  }
}

Task<> go_after_waiting(Runtime& runtime) {
  const auto nomads = co_await runtime.create<Nomad>(4, 0);
  const PeId last = runtime.pes() - 1;
  for (int i = 0; i < 4; ++i) nomads[i].send<&Nomad::sleep_then_go>(last);
  co_await runtime.quiescence();
  for (int i = 0; i < 4; ++i) {
    const PeId where = co_await nomads[i].call<&Nomad::where>();
    CHECK(where == last);
  }
}

Task<> go_while_waiting(Runtime& runtime) {
  const auto nomads = co_await runtime.create<Nomad>(4, 0);
  nomads[0].send<&Nomad::go_and_sleep>(runtime.pes() - 1);
  co_await runtime.quiescence();
  const PeId where = co_await nomads[0].call<&Nomad::where>();
  CHECK(where == runtime.pes() - 1);
}
Task<> go_nowhere(Runtime& runtime) {
  const auto nomads = co_await runtime.create<Nomad>(4, 0);
  nomads[0].send<&Nomad::go>(runtime.pes());
  co_await runtime.quiescence();
}

/// Leaves from its constructor: others have not made the array yet.
class Restless : public Chare<Restless> {
 public:
  Restless() = default;
  explicit Restless(int) { migrate_to(this_runtime().pes() - 1); }
  template <class Archive>
  void pup(Archive&) {}
  PeId where() { return pe(); }
};
Task<> leave_from_constructor(Runtime& runtime) {
  const auto restless = co_await runtime.create<Restless>(6, 0);
  co_await runtime.quiescence();
  const PeId least = co_await restless.call_all<&Restless::where>(min);
  CHECK(least == runtime.pes() - 1);
}

TEST_CASE("a chare moves with its state and is found", "[chares][migration]") { run_everywhere(move_and_ask, reset); }
TEST_CASE("no message is lost or doubled while chares move", "[chares][migration]") {
  run_everywhere(move_in_a_storm, reset);
}
TEST_CASE("chares go round and home again", "[chares][migration]") { run_everywhere(go_round_and_home, reset); }
TEST_CASE("a broadcast after moves reaches every element once", "[chares][migration]") {
  run_everywhere(broadcast_after_moves, reset);
}
TEST_CASE("call_all ends while chares move", "[chares][migration]") { run_everywhere(move_during_call_all, reset); }
TEST_CASE("a chare moves when its entry has ended", "[chares][migration]") { run_everywhere(go_after_waiting, reset); }
TEST_CASE("a chare may leave for a PE that has not made the array yet", "[chares][migration]") {
  run_everywhere(leave_from_constructor);
}

TEST_CASE("a chare with a suspended entry moves when that has ended", "[chares][migration]") {
  run_everywhere(go_while_waiting, reset);
}
TEST_CASE("a chare cannot move to a PE that is not there", "[chares][migration]") {
  CHECK(has(thrown<UsageError>([] { Scene({2, 2}).run(go_nowhere); }), "migrate_to(4): the run has PEs 0 to 3"));
}

TEST_CASE("a chare that leaves messages behind is told so", "[chares][migration]") {
  CHECK(has(thrown<UsageError>([] { Scene({2, 1}).run(move_without_messages); }), "held 1 messages"));
}

TEST_CASE("a chare's home learns where it goes from elsewhere", "[chares][migration]") {
  reset();
  Scene scene({3, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    const auto nomads = co_await runtime.create<Nomad>(3, 0);
    for (const PeId to : {1u, 2u}) {
      nomads[0].send<&Nomad::go>(to);
      co_await runtime.quiescence();
    }
  });
  scene.network().run_until_idle();
  constexpr CollectionId kOnlyArray = 1;
  const auto& table = static_cast<ElementTable&>(*scene.network().pe(0).collections().find(kOnlyArray));
  CHECK(table.locations().placement().home(0) == 0);
  CHECK(table.forwarding().where(0) == 2);
}

TEST_CASE("a sender learns where a chare has gone", "[chares][migration]") {
  reset();
  Scene scene({3, 1});
  static Proxy<Nomad> nomads;
  scene.run([](Runtime& runtime) -> Task<> { nomads = co_await runtime.create<Nomad>(3, 0); });
  Network& network = scene.network();
  network.on(1, [](Pe&) { nomads[1].send<&Nomad::go>(2); });
  network.run_until_idle();
  const auto where = [&](PeId pe) {
    return network.on(pe, [&](Pe& here) {
      return static_cast<ElementTable*>(here.collections().find(nomads.id()))->forwarding().where(1);
    });
  };
  CHECK(where(1) == 2);
  CHECK(where(0) == 1);
  network.on(0, [](Pe&) { nomads[1].send<&Nomad::add>(1); });
  network.run_until_idle();
  CHECK(where(0) == 2);
  CHECK(received[1] == std::vector<int>{1});
}

}  // namespace kaon::testing::migrations

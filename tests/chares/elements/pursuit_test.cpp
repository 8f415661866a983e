// SPDX-License-Identifier: Apache-2.0
// Messages that wait for an element that moves on: how often they are sent.
#include "kaon/chares/elements/pursuit.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::pursuits {

constexpr int kMany = 2000;

int taken = 0;
int failed = 0;

class Hare : public Chare<Hare> {
 public:
  /// Runs away after each message.
  void run_away() {
    ++taken;
    migrate_to((pe() + 1) % this_runtime().pes());
  }
  void run_away_once() { migrate_to((pe() + 1) % this_runtime().pes()); }
  void take() { ++taken; }
  int take_and_answer() { return ++taken; }
  void die() { destroy(); }
  void end_all() { array().destroy(); }

  template <class Archive>
  void pup(Archive&) {}
};

class Asker : public Chare<Asker> {
 public:
  Task<> ask(Element<Hare> hare) {
    try {
      co_await hare.call<&Hare::take_and_answer>();
    } catch (const UsageError&) {
      ++failed;
    }
  }
};

/// Goes to other processes, but not from one PE on.
struct Fragile {
  PeId breaks_on = 0;
  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving)
      if (this_runtime().pe() == breaks_on) throw std::runtime_error("it breaks here");
    archive(breaks_on);
  }
};

class Wanderer : public Chare<Wanderer> {
 public:
  void go(PeId to) { migrate_to(to); }
  int take_care(Fragile) { return 1; }

  template <class Archive>
  void pup(Archive&) {}
};

/// Of a sparse array, whose numbers never end.
class Mayfly : public Chare<Mayfly, int> {
 public:
  void flutter() { ++taken; }
  void die() { destroy(); }
};

class Counter : public Chare<Counter> {
 public:
  int pursuits(Proxy<Mayfly> mayflies) {
    return static_cast<int>(proxy::table_of(proxy::calling_pe(), mayflies.id()).forwarding().pursuits().size());
  }
};

class Bearer : public Chare<Bearer> {
 public:
  Task<int> bear(Element<Wanderer> to, PeId breaks_on) {
    try {
      co_return 1 - co_await to.call<&Wanderer::take_care>(Fragile{breaks_on});
    } catch (const std::runtime_error&) {
      co_return 1;
    }
  }
};

void reset() { taken = failed = 0; }

/// The last element has left the last PE, which sends on what comes for it.
Task<> break_on_the_way(Runtime& runtime) {
  const PeId last = runtime.pes() - 1;
  if (last == 0) co_return;
  const auto wanderers = co_await runtime.create<Wanderer>(static_cast<int>(runtime.pes()));
  wanderers[static_cast<int>(last)].send<&Wanderer::go>(0U);
  co_await runtime.quiescence();
  int broken = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      co_await wanderers.call_all<&Wanderer::take_care>(sum, Fragile{last});
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "it breaks here");
      ++broken;
    }
  }
  CHECK((broken == 3 || (broken == 0 && runtime.processes() == 1)));  // within a process mostly nothing is packed
  co_await runtime.quiescence();
  const int all = co_await wanderers.call_all<&Wanderer::take_care>(sum, Fragile{last + 1});
  CHECK(all == static_cast<int>(runtime.pes()));
}

/// The same of calls of one element, by who does not know where it is.
Task<> break_on_the_way_to_one(Runtime& runtime) {
  const PeId last = runtime.pes() - 1;
  if (last == 0) co_return;
  const auto wanderers = co_await runtime.create<Wanderer>(static_cast<int>(runtime.pes()));
  const auto bearers = co_await runtime.create_group<Bearer>();
  wanderers[static_cast<int>(last)].send<&Wanderer::go>(0U);
  co_await runtime.quiescence();
  const int broken = co_await bearers.call_all<&Bearer::bear>(sum, wanderers[static_cast<int>(last)], last);
  CHECK(broken <= static_cast<int>(runtime.pes()));
  if (runtime.processes() > 1) CHECK(broken > 0);
  co_await runtime.quiescence();
}

/// Messages made on all PEs, sent on ones each time.
std::uint64_t made(Network& network) {
  std::uint64_t sum = 0;
  for (PeId pe = 0; pe < network.pes(); ++pe) sum += network.pe(pe).counts().made;
  return sum;
}

template <auto E>
void send_many(Element<Hare> hare) {
  for (int i = 0; i < kMany; ++i) hare.send<E>();
}

Task<> chase(Runtime& runtime) {
  const auto hares = co_await runtime.create<Hare>(1);
  send_many<&Hare::run_away>(hares[0]);
  co_await runtime.quiescence();
  CHECK(taken == kMany);
}

Task<> follow_once(Runtime& runtime) {
  const auto hares = co_await runtime.create<Hare>(1);
  hares[0].with_priority(-1).send<&Hare::run_away_once>();
  send_many<&Hare::take>(hares[0]);
  co_await runtime.quiescence();
  CHECK(taken == kMany);
}

/// Its end comes behind those that make it run away.
Task<> end_in_flight(Runtime& runtime, void (*end)(Element<Hare>)) {
  const auto hares = co_await runtime.create<Hare>(1);
  const auto askers = co_await runtime.create<Asker>(kMany);
  for (int i = 0; i < kMany / 4; ++i) hares[0].send<&Hare::run_away>();
  askers.broadcast<&Asker::ask>(hares[0]);
  for (int i = 0; i < kMany / 4; ++i) hares[0].send<&Hare::run_away>();
  end(hares[0].with_priority(1));
  co_await runtime.quiescence();
  CHECK(failed <= kMany);
  CHECK(taken + failed <= kMany + kMany / 2);
  CHECK(taken + failed >= kMany);
}

Task<> delete_in_flight(Runtime& runtime) {
  return end_in_flight(runtime, [](Element<Hare> hare) { hare.send<&Hare::die>(); });
}
Task<> destroy_in_flight(Runtime& runtime) {
  return end_in_flight(runtime, [](Element<Hare> hare) { hare.send<&Hare::end_all>(); });
}

/// Each is away from home, where the first messages for it come; from none to several questions are asked.
Task<> live_for_a_day(Runtime& runtime) {
  const auto mayflies = co_await runtime.create_sparse<Mayfly>();
  const auto counters = co_await runtime.create_group<Counter>();
  for (int i = 0; i < 200; ++i) {
    mayflies[i].insert_on(static_cast<PeId>(i) % runtime.pes());
    for (int message = 0; message < i % 40; ++message) mayflies[i].send<&Mayfly::flutter>();
  }
  co_await runtime.quiescence();
  for (int i = 0; i < 200; ++i) mayflies[i].send<&Mayfly::die>();
  co_await runtime.quiescence();
  CHECK_AWAITED(counters.call_all<&Counter::pursuits>(sum, mayflies), 0);
}

}  // namespace kaon::testing::pursuits

namespace tp = kaon::testing::pursuits;
using namespace kaon::testing;

TEST_CASE("messages that wait for an element that moves at each of them are sent on some times, not each time",
          "[chares][pursuit]") {
  const Network::Shape shape = GENERATE(Network::Shape(2, 1), Network::Shape(3, 1), Network::Shape(1, 3));
  constexpr std::uint64_t kMostSends = 40;
  tp::reset();
  Scene scene(shape);
  scene.run(tp::chase);
  CHECK(tp::made(scene.network()) < kMostSends * tp::kMany);
}

TEST_CASE("messages that follow an element that rests are sent on once", "[chares][pursuit]") {
  tp::reset();
  Scene scene({3, 1});
  scene.run(tp::follow_once, 1);
  CHECK(tp::made(scene.network()) < std::uint64_t{4} * tp::kMany);
}

TEST_CASE("an element that runs away gets all its messages", "[chares][pursuit]") {
  run_everywhere(tp::chase, tp::reset);
}

TEST_CASE("messages kept for an element that is deleted meanwhile are dropped, and calls fail", "[chares][pursuit]") {
  run_everywhere(tp::delete_in_flight, tp::reset);
}

TEST_CASE("messages kept for an element whose array is destroyed are dropped, and calls fail", "[chares][pursuit]") {
  run_everywhere(tp::destroy_in_flight, tp::reset);
}

TEST_CASE("nothing is kept of who sent messages on after an element that is no more", "[chares][pursuit]") {
  run_everywhere(tp::live_for_a_day, tp::reset);
}

TEST_CASE("a call that cannot be packed where it is sent on after an element fails, and the run goes on",
          "[chares][pursuit]") {
  run_everywhere(tp::break_on_the_way);
  run_everywhere(tp::break_on_the_way_to_one);
}

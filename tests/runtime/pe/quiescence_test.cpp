// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/quiescence.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::quiescence {

// What an observer above all processes knows; the detector must find out by messages.
int under_way = 0;

// Runs on a PE, and sends up to three more of its kind.
void storm(Pe& pe, int generations, std::uint64_t seed, std::vector<char> ballast) {
  const PeId pes = pe.process().total_pes();
  for (std::uint64_t i = 0; generations > 0 && i < seed % 4; ++i) {
    ++under_way;
    const std::uint64_t next = (seed + i) * 6364136223846793005u + 1442695040888963407u;
    RemoteProcedure<&storm, Counting::counted>::send(pe, static_cast<PeId>((next >> 33) % pes), generations - 1,
                                                     next >> 20, std::vector<char>(ballast.size() * (i + 1) % 9000));
  }
  --under_way;
}

struct Observer : Work {
  Observer() {
    run = [](Work& self, Pe&) {
      auto& observer = static_cast<Observer&>(self);
      observer.was_early |= under_way != 0;
      ++observer.times;
    };
  }
  int times = 0;
  bool was_early = false;
};

void start_storm(Network& network, PeId from, std::uint64_t seed) {
  ++under_way;
  network.on(from, [&](Pe& pe) {
    RemoteProcedure<&storm, Counting::counted>::send(pe, static_cast<PeId>(seed % network.pes()), 7, seed,
                                                     std::vector<char>(seed % 3000));
  });
}

struct Case {
  Network::Shape shape;
  LoopbackNetwork::Order order = LoopbackNetwork::Order::lanes_in_order;
};

void check_storms(const Case& c, std::uint64_t seed) {
  Network network(c.shape, default_options(), seed);
  network.set_order(c.order);
  network.wire().copy_at_once(seed % 2 == 1);
  under_way = 0;
  const PeId asker = static_cast<PeId>(seed % network.pes());
  for (int round = 0; round < 3; ++round) {
    for (PeId from = 0; from < network.pes(); ++from) start_storm(network, from, 4 * network.random()() + 3);
    network.run_until([] { return false; }, static_cast<int>(network.random()() % 200));
    Observer observer;
    network.on(asker, [&](Pe& pe) { pe.quiescence().await(observer); });
    REQUIRE(network.run_until([&] { return observer.times > 0; }));
    CHECK_FALSE(observer.was_early);
    CHECK(under_way == 0);
    network.run_until_idle();
    CHECK(observer.times == 1);
  }
}

void wake_pe_of_timer(Work& self, Pe& pe);

// Runs on a PE and sends one more to the other PE of two, and so on for so many hops.
void relay(Pe& pe, int hops) {
  --under_way;
  if (hops == 0) return;
  ++under_way;
  RemoteProcedure<&relay, Counting::counted>::send(pe, 1 - pe.id(), hops - 1);
}

void start_relay(Network& network, PeId from, int hops) {
  ++under_way;
  network.on(from, [&](Pe& pe) { RemoteProcedure<&relay, Counting::counted>::send(pe, 1 - from, hops); });
  network.run(from);
}

// The oldest of its kind, and turns of the PE that it is for.
void deliver(Network& network, LoopbackNetwork::Kind kind) {
  const auto& pending = network.wire().pending();
  const auto found = std::find_if(pending.begin(), pending.end(), [&](const auto& p) { return p.kind == kind; });
  REQUIRE(found != pending.end());
  const PeId to = found->to;
  network.wire().deliver(static_cast<std::size_t>(found - pending.begin()));
  while (network.run(to)) {
  }
}

// Something that comes later of itself: made when the timer is set, done when it has run.
struct Later : Work {
  explicit Later(Pe& pe) {
    run = &wake_pe_of_timer;
    ++under_way;
    pe.count_made();
    pe.timers().add_in(std::chrono::milliseconds{1}, *this);
  }
};

void wake_pe_of_timer(Work&, Pe& pe) {
  RemoteProcedure<&storm, Counting::counted>::send(pe, pe.process().total_pes() - 1, 0, std::uint64_t{0},
                                                   std::vector<char>());
  pe.count_done();  // what it made counts by now
}

TEST_CASE("quiescence is found when all storms are over, and never before", "[runtime][quiescence]") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(1, 16)));
  const auto shape = GENERATE(Network::Shape{1, 1}, Network::Shape{1, 4}, Network::Shape{2, 1}, Network::Shape{3, 2},
                              Network::Shape{7, 1}, Network::Shape{5, 2, {2, 0, 0, 1, 0}});
  check_storms({shape}, seed);
}

TEST_CASE("quiescence needs no order of messages", "[runtime][quiescence]") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(100, 120)));
  check_storms({{3, 2}, LoopbackNetwork::Order::any}, seed);
}

// Waves that have passed the one who asks before it sent cannot know of what it sent.
TEST_CASE("who asks for quiescence while others await it has what it sent before waited for", "[runtime][quiescence]") {
  const int steps = GENERATE(range(0, 400));
  Network network({5, 1}, default_options(), static_cast<std::uint64_t>(steps));
  network.set_order(LoopbackNetwork::Order::any);
  under_way = 0;
  Observer first, second;
  network.on(1, [&](Pe& pe) { pe.quiescence().await(first); });
  network.run_until([&] { return first.times > 0; }, steps);
  start_storm(network, 2, 4 * network.random()() + 3);
  network.on(2, [&](Pe& pe) { pe.quiescence().await(second); });
  REQUIRE(network.run_until([&] { return second.times > 0; }));
  CHECK_FALSE(second.was_early);
}

TEST_CASE("a message in the network holds quiescence off for as long as it is there", "[runtime][quiescence]") {
  Network network({2, 2});
  under_way = 0;
  start_storm(network, 0, 3 + 4 * 2);  // to PE 3
  network.wire().hold([](const auto& parcel) { return parcel.kind == LoopbackNetwork::Kind::data; });
  Observer observer;
  network.on(2, [&](Pe& pe) { pe.quiescence().await(observer); });
  CHECK_FALSE(network.run_until([&] { return observer.times > 0; }, 20'000));
  network.wire().hold({});
  CHECK(network.run_until([&] { return observer.times > 0; }));
  CHECK_FALSE(observer.was_early);
}

TEST_CASE("a timer that was counted holds quiescence off", "[runtime][quiescence]") {
  Network network({2, 1});
  under_way = 0;
  Observer observer;
  std::unique_ptr<Later> later;
  network.on(1, [&](Pe& pe) { later = std::make_unique<Later>(pe); });
  network.on(0, [&](Pe& pe) { pe.quiescence().await(observer); });
  CHECK(network.run_until([&] { return observer.times > 0; }, 50'000'000));
  CHECK_FALSE(observer.was_early);
}

// Something that is done and goes on every 100 ms, so often.
struct Series : Work {
  Series(Pe& pe, int times) : left(times) {
    run = [](Work& self, Pe& at) {
      auto& series = static_cast<Series&>(self);
      at.count_done();
      series.ended = at.timers().now();
      if (--series.left > 0) series.go_on(at);
    };
    go_on(pe);
  }
  void go_on(Pe& pe) {
    pe.count_made();
    pe.timers().add_in(std::chrono::milliseconds{100}, *this);
  }
  int left;
  Timers::Time ended{};
};

TEST_CASE("quiescence is found as soon after the last thing that ends as that was short, however long the run was",
          "[runtime][quiescence]") {
  const int times = GENERATE(1, 83, 89, 94, 100);
  Network network({2, 1});
  Observer observer;
  std::unique_ptr<Series> series;
  network.on(1, [&](Pe& pe) { series = std::make_unique<Series>(pe, times); });
  network.on(0, [&](Pe& pe) { pe.quiescence().await(observer); });
  REQUIRE(network.run_until([&] { return observer.times > 0; }, 50'000'000));
  CHECK(series->left == 0);
  CHECK(network.pe(0).timers().now() - series->ended < std::chrono::milliseconds{10});
}

TEST_CASE("several who wait on several PEs are all told", "[runtime][quiescence]") {
  Network network({2, 2});
  under_way = 0;
  start_storm(network, 1, 7);
  std::vector<Observer> observers(8);
  for (std::size_t i = 0; i < observers.size(); ++i)
    network.on(static_cast<PeId>(i % 4), [&](Pe& pe) { pe.quiescence().await(observers[i]); });
  CHECK(network.run_until([&] {
    for (const Observer& observer : observers)
      if (observer.times == 0) return false;
    return true;
  }));
  for (const Observer& observer : observers) CHECK_FALSE(observer.was_early);
}

TEST_CASE("who goes while waiting is not told, and takes nobody's turn", "[runtime][quiescence]") {
  Network network({2, 1});
  under_way = 0;
  Observer gone, stays;
  network.on(1, [&](Pe& pe) {
    pe.quiescence().await(gone);
    pe.quiescence().forget(gone);
  });
  network.run_until([] { return false; }, 500);
  start_storm(network, 0, 7);
  network.on(1, [&](Pe& pe) { pe.quiescence().await(stays); });
  CHECK(network.run_until([&] { return stays.times > 0; }));
  CHECK_FALSE(stays.was_early);
  network.run_until_idle();
  CHECK(stays.times == 1);
  CHECK(gone.times == 0);
}

TEST_CASE("a PE's answer to a wave leaves with the turn in which it was given", "[runtime][quiescence]") {
  Network network({2, 1});
  Observer observer;
  network.on(0, [&](Pe& pe) { pe.quiescence().await(observer); });
  network.run_all();
  REQUIRE(network.wire().deliver_next());  // the wave, to PE 1
  while (network.run(1)) {
  }
  CHECK(network.wire().pending().size() == 1);  // or it would sleep now with the answer in its outbox
  network.run_until_idle();
}

TEST_CASE("waves that balance while messages cross them are no quiescence", "[runtime][quiescence]") {
  constexpr auto kWave = LoopbackNetwork::Kind::control, kMessage = LoopbackNetwork::Kind::data;
  Network network({2, 1});
  under_way = 0;
  Observer observer;
  network.on(0, [&](Pe& pe) { pe.quiescence().await(observer); });
  while (network.run(0)) {
  }
  deliver(network, kWave);     // PE 1 answers: nothing made, nothing done
  start_relay(network, 1, 1);  // and makes one,
  deliver(network, kMessage);  // which PE 0 runs and sends back, before it answers itself: 1 made, 1 done
  deliver(network, kWave);
  CHECK(observer.times == 0);  // a balanced wave, and a message under way
  deliver(network, kWave);     // PE 1 answers the second: 1 made, nothing done
  deliver(network, kMessage);
  start_relay(network, 1, 0);
  start_relay(network, 1, 0);
  deliver(network, kMessage);  // PE 0 runs one of these, before it answers: 1 made, 2 done
  deliver(network, kWave);
  CHECK(observer.times == 0);  // another balanced wave, and a message under way
  CHECK(network.run_until([&] { return observer.times > 0; }));
  CHECK_FALSE(observer.was_early);
}

TEST_CASE("messages of a wave that cannot be are corrupt", "[runtime][quiescence]") {
  Network network({2, 1});
  network.on(0, [](Pe& pe) {
    CHECK_THROWS_AS(pe.quiescence().wave_up({1, 1}), CorruptMessage);
    CHECK_THROWS_AS(pe.quiescence().ask(99), CorruptMessage);
    CHECK_THROWS_AS(pe.quiescence().reached(), CorruptMessage);
  });
}

}  // namespace kaon::testing::quiescence

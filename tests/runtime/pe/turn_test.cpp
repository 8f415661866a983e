// SPDX-License-Identifier: Apache-2.0
// What a PE looks after in each turn, however much work it has.
#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::turns {

using namespace std::chrono_literals;

constexpr int kSomeTurns = 64;

struct Piece : Work {
  explicit Piece(std::function<void(Pe&)> action) : action(std::move(action)) {
    run = [](Work& self, Pe& pe) { static_cast<Piece&>(self).action(pe); };
  }
  std::function<void(Pe&)> action;
};

int taken = 0;
int left = 0;  // of a chain of entries

void take(Pe&, int) { ++taken; }
void go_on(Pe& pe) {
  if (taken == 0 && left-- > 0) RemoteProcedure<&go_on, Counting::counted>::send(pe, 0);
}

TEST_CASE("a timer comes to its turn on a PE that never is idle", "[runtime][turn]") {
  Network network({1, 1});
  bool has_come = false;
  Piece timer([&](Pe&) { has_come = true; });
  Piece endless([&](Pe& pe) {
    if (!has_come) pe.enqueue(endless);
  });
  network.on(0, [&](Pe& pe) {
    pe.enqueue(endless);
    pe.timers().add_in(1us, timer);
  });
  network.pass(1us);
  for (int turn = 0; turn < kSomeTurns && !has_come; ++turn) network.run(0, 1);
  CHECK(has_come);
  network.run(0);
}

TEST_CASE("a timer comes after one long entry on a PE that never is idle", "[runtime][turn]") {
  Network network({1, 1});
  bool is_set = false, has_come = false;
  int runs = 0, runs_before = 0;
  Piece timer([&](Pe&) { has_come = true; });
  Piece endless([&](Pe& pe) {
    network.pass(1ms);
    if (++runs == 300) {
      pe.timers().add_in(1us, timer);
      is_set = true;
    }
    runs_before += is_set && !has_come ? 1 : 0;
    if (!has_come) pe.enqueue(endless);
  });
  network.on(0, [&](Pe& pe) { pe.enqueue(endless); });
  while (network.run(0) && !has_come) {
  }
  CHECK(runs_before <= 2);
  network.run(0);
}

TEST_CASE("a timer comes to its turn on an idle PE soon after its time", "[runtime][turn]") {
  Network network({1, 1});
  for (int i = 0; i < kSomeTurns; ++i) {
    bool has_come = false;
    Piece timer([&](Pe&) { has_come = true; });
    network.on(0, [&](Pe& pe) { pe.timers().add_in(1us, timer); });
    network.run(0);
    CHECK_FALSE(has_come);
    network.pass(1us);
    network.run(0);
    network.run(0);
    CHECK(has_come);
  }
}

TEST_CASE("urgent work that another thread pushes is next, not behind a turn of other work", "[runtime][turn]") {
  Network network({1, 1});
  int before_urgent = 0;
  bool was_urgent = false;
  Piece urgent([&](Pe&) { was_urgent = true; });
  urgent.priority = std::numeric_limits<std::int32_t>::min();
  Piece first([&](Pe& pe) { pe.push(urgent); });
  Piece second([&](Pe&) { before_urgent += was_urgent ? 0 : 1; });
  network.on(0, [&](Pe& pe) {
    pe.enqueue(first);
    pe.enqueue(second);
  });
  network.run(0);
  CHECK(was_urgent);
  CHECK(before_urgent == 0);
}

TEST_CASE("what arrives while long entries run comes in between them", "[runtime][turn]") {
  Options options = default_options();
  options.coalesce_us = 0;  // any entry is long
  Network network({2, 1}, options);
  taken = 0;
  left = 100;
  network.on(1, [](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 0, 1); });
  network.run(1);
  network.on(0, [](Pe& pe) { RemoteProcedure<&go_on, Counting::counted>::send(pe, 0); });
  while (network.wire().deliver_next()) {
  }
  network.run(0);  // one turn
  CHECK(taken == 1);
  CHECK(left > 0);
  network.run_until_idle();
}

}  // namespace kaon::testing::turns

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/pe.hpp"

#include <chrono>

#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::pes {

using namespace std::chrono_literals;

void take(Pe&, int) {}

// Whether the PE slept when it was asked to: a sleep takes the signal that is there before it.
bool sleeps(Network& network, PeId id) {
  return network.on(id, [](Pe& pe) {
    pe.waker().wake();
    pe.parker().sleep();
    return pe.waker().sleep(-1, 0ms) == Waker::Reason::time_out;
  });
}

struct Timer : Work {
  Timer() {
    run = [](Work& self, Pe&) { static_cast<Timer&>(self).has_run = true; };
  }
  bool has_run = false;
};

// Whether a PE that sleeps until there is something to do finds two timers in two turns, one much later than the other.
// It may find both at once where the machine keeps it from running in between.
bool finds_timers_apart() {
  Network network({1, 1});
  return network.on(0, [](Pe& pe) {
    Timer soon, later;
    pe.timers().follow(nullptr);
    const auto now = Timers::Clock::now();
    pe.timers().add(now + 1ms, soon);
    pe.timers().add(now + 90ms, later);
    while (!soon.has_run)
      if (!pe.run_some(1)) pe.parker().sleep();
    const bool apart = !later.has_run;
    pe.timers().remove(now + 90ms, later);
    return apart;
  });
}

TEST_CASE("a PE that has nothing to do sleeps", "[runtime][pe]") {
  Network network({2, 1});
  CHECK(sleeps(network, 0));
}

TEST_CASE("a PE that was pushed to does not sleep", "[runtime][pe]") {
  Network network({1, 1});
  Work work;
  work.run = [](Work&, Pe&) {};
  network.on(0, [&](Pe& pe) { pe.push(work); });
  CHECK_FALSE(sleeps(network, 0));
  network.run(0);
}

TEST_CASE("a PE whose port has a batch does not sleep", "[runtime][pe]") {
  Network network({2, 1});
  network.on(0, [](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1); });
  network.run(0);
  REQUIRE(network.wire().deliver_next());
  CHECK_FALSE(sleeps(network, 1));
  network.run_until_idle();
}

TEST_CASE("a PE whose port has a finished send to report does not sleep", "[runtime][pe]") {
  Network network({2, 1});
  network.on(0, [](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1); });
  network.run(0);
  REQUIRE(network.wire().deliver_next());
  CHECK_FALSE(sleeps(network, 0));
  network.run_until_idle();
}

TEST_CASE("a PE sleeps no longer than until its next timer", "[runtime][pe]") {
  bool apart = false;
  for (int i = 0; i < 20 && !apart; ++i) apart = finds_timers_apart();
  CHECK(apart);
}

}  // namespace kaon::testing::pes

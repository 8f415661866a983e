// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/timers.hpp"

#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;
using namespace std::chrono_literals;

TEST_CASE("Work comes out of the timers in the order of its times, and not before", "[runtime][timers]") {
  Timers timers;
  Work early, late;
  const auto start = Timers::Clock::time_point{} + 1h;
  timers.add(start + 2ms, late);
  timers.add(start + 1ms, early);
  CHECK(timers.next() == start + 1ms);
  CHECK(timers.take_due(start) == nullptr);
  CHECK(timers.take_due(start + 1ms - 1ns) == nullptr);
  CHECK(timers.take_due(start + 1ms) == &early);
  CHECK(timers.take_due(start + 1ms) == nullptr);
  CHECK(timers.take_due(start + 1h) == &late);
  CHECK(timers.empty());
  CHECK(timers.take_due(start + 1h) == nullptr);
}

TEST_CASE("two of one time both come out", "[runtime][timers]") {
  Timers timers;
  Work works[2];
  const auto when = Timers::Clock::time_point{} + 1h;
  timers.add(when, works[0]);
  timers.add(when, works[1]);
  Work* first = timers.take_due(when);
  Work* second = timers.take_due(when);
  CHECK(first != second);
  CHECK(first != nullptr);
  CHECK(second != nullptr);
}

TEST_CASE("a timer that was removed does not come out", "[runtime][timers]") {
  for (const std::size_t removed : {0u, 1u}) {
    Timers timers;
    Work works[2];
    const auto when = Timers::Clock::time_point{} + 1h;
    for (Work& work : works) timers.add(when, work);
    timers.remove(when, works[removed]);
    CHECK(timers.take_due(when) == &works[1 - removed]);
    CHECK(timers.empty());
  }
}

TEST_CASE("a timer that never comes does not come out, and keeps none from coming", "[runtime][timers]") {
  Timers timers;
  Timers::Time told{};
  timers.follow(&told);
  Work never, soon;
  timers.add_in(std::chrono::nanoseconds::max(), never);
  told += std::chrono::hours(1);
  timers.add_in(std::chrono::nanoseconds::max(), never);
  CHECK(timers.take_due(timers.now()) == nullptr);
  timers.add_in(std::chrono::seconds(1), soon);
  told += std::chrono::seconds(1);
  CHECK(timers.take_due(timers.now()) == &soon);
  CHECK(timers.take_due(timers.now()) == nullptr);
  CHECK_FALSE(timers.empty());
}

TEST_CASE("when a timer is removed the next is the first of those that are left", "[runtime][timers]") {
  Timers timers;
  Work early, late;
  const auto start = Timers::Clock::time_point{} + 1h;
  timers.add(start + 2ms, late);
  timers.add(start + 1ms, early);
  timers.remove(start + 1ms, early);
  CHECK(timers.next() == start + 2ms);
  CHECK(timers.take_due(start + 1ms) == nullptr);
  timers.remove(start + 2ms, late);
  CHECK(timers.next() == Timers::Time::max());
  CHECK(timers.empty());
  CHECK(timers.take_due(start + 1h) == nullptr);
}

TEST_CASE("a timer whose time never comes is one all the same", "[runtime][timers]") {
  Timers timers;
  Work never, late;
  timers.add(Timers::Time::max(), never);
  CHECK_FALSE(timers.empty());
  CHECK(timers.take_due(Timers::Clock::time_point{} + 1h) == nullptr);
  timers.add(Timers::Clock::time_point{} + 1h, late);
  CHECK(timers.take_due(Timers::Clock::time_point{} + 1h) == &late);
  CHECK_FALSE(timers.empty());
  timers.remove(Timers::Time::max(), never);
  CHECK(timers.empty());
}

TEST_CASE("the testing kit's time goes to the next timer of any PE, and no further", "[runtime][timers]") {
  struct Timer : Work {
    Timer() {
      run = [](Work& self, Pe&) { static_cast<Timer&>(self).has_come = true; };
    }
    bool has_come = false;
  };
  Network network({2, 1});
  Timer soon, late;
  const auto begin = network.pe(0).timers().now();
  const auto when = network.on(0, [&](Pe& pe) { return pe.timers().add_in(2h, late); });
  network.on(1, [&](Pe& pe) { pe.timers().add_in(1h, soon); });
  CHECK(network.run_until([&] { return soon.has_come; }));
  CHECK_FALSE(late.has_come);
  CHECK(network.pe(0).timers().now() >= begin + 1h);
  CHECK(network.pe(1).timers().now() < when);
  CHECK(network.run_until([&] { return late.has_come; }));
  CHECK(network.pe(1).timers().now() >= when);
}

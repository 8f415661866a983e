// SPDX-License-Identifier: Apache-2.0
// threads: PEs of one process, and one that is no PE
// Runs inside a program that is not Kaon's: what lives between them, what comes out of them, and what is refused.
#include <sched.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/support/catch.hpp"

namespace kaon::testing::sessions {

class Counter : public Chare<Counter> {
 public:
  ~Counter() { --living; }
  void add(int value) { total_ += value; }
  int total() const { return total_; }
  Task<> wait_for_go() {
    co_await go.next();
    total_ += 1000;
  }
  void tell(Element<Counter> next, int left) {
    ++total_;
    if (left > 0) next.send<&Counter::tell>(element(), left - 1);
  }
  void fail_if(bool must_fail) {
    if (must_fail) throw std::domain_error("the counter fails");
  }
  Inbox<int> go;

  static inline std::atomic<int> living{0};

 private:
  Element<Counter> element() const { return array()[index()]; }
  int total_ = (++living, 0);
};

Proxy<Counter> counters;

Options options_with(int pes) {
  Options options;
  options.pes = pes;
  return options;
}

Task<int> make_counters(Runtime& runtime) {
  counters = co_await runtime.create<Counter>(4);
  counters[1].send<&Counter::wait_for_go>();
  co_return 7;
}

Task<int> add_to_counters(Runtime& runtime) {
  for (int i = 0; i < 4; ++i) counters[i].send<&Counter::add>(i);
  co_await runtime.quiescence();
  co_return 0;
}

Task<int> total_of_counters(Runtime&) { co_return co_await counters.call_all<&Counter::total>(sum); }

Task<int> let_go(Runtime& runtime) {
  counters[1].send<&Counter::go>(1);
  co_await runtime.quiescence();
  co_return 0;
}

Task<int> leave_messages_under_way(Runtime&) {
  counters[0].send<&Counter::tell>(counters[3], 10'000);
  co_return 0;
}

Task<int> call_what_fails(Runtime&) {
  co_await counters[2].call<&Counter::fail_if>(true);
  co_return 0;
}

std::vector<int> processors_of_this_thread() {
  cpu_set_t set;
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  return processors;
}

TEST_CASE("chares live from one run of a session to the next, and end with it", "[chares][session]") {
  const int pes = GENERATE(1, 2, 3);
  Session session(options_with(pes));
  CHECK(session.process() == 0);
  CHECK(session.processes() == 1);
  session.start();
  CHECK(session.run(make_counters) == 7);
  for (int round = 1; round <= 3; ++round) {
    session.run(add_to_counters);
    CHECK(session.run(total_of_counters) == round * (0 + 1 + 2 + 3));
  }
  session.run(let_go);
  CHECK(session.run(total_of_counters) == 18 + 1000);
  CHECK(Counter::living == 4);
  session.stop();
  CHECK(Counter::living == 0);
}

TEST_CASE("messages under way at the end of a run go on in the next", "[chares][session]") {
  const int pes = GENERATE(1, 2);
  Session session(options_with(pes));
  session.run(make_counters);
  session.run(leave_messages_under_way);
  session.run([](Runtime& runtime) -> Task<int> {
    co_await runtime.quiescence();
    co_return 0;
  });
  CHECK(session.run(total_of_counters) == 10'001);
}

TEST_CASE("what a main task throws comes out of the run, and the session goes on", "[chares][session]") {
  const int pes = GENERATE(1, 2);
  Session session(options_with(pes));
  session.run(make_counters);
  CHECK_THROWS_AS(session.run([](Runtime&) -> Task<int> {
    throw std::domain_error("no");
    co_return 0;
  }),
                  std::domain_error);
  CHECK_THROWS_WITH(session.run(call_what_fails), contains_text("the counter fails"));
  CHECK(session.run(total_of_counters) == 0);
}

TEST_CASE("a session that goes ends its chares; another may follow", "[chares][session]") {
  for (int time = 0; time < 3; ++time) {
    {
      Session session(options_with(2));
      session.run(make_counters);
      CHECK(Counter::living == 4);
    }
    CHECK(Counter::living == 0);
  }
}

TEST_CASE("the calling thread has its processors back between the runs of a session", "[chares][session]") {
  const std::vector<int> before = processors_of_this_thread();
  Session session(options_with(1));
  session.start();
  CHECK(processors_of_this_thread() == before);
  session.run(make_counters);
  CHECK(processors_of_this_thread() == before);
  session.stop();
  CHECK(processors_of_this_thread() == before);
}

TEST_CASE("a session refuses what would go wrong later", "[chares][session]") {
  Session session(options_with(1));
  CHECK_THROWS_WITH(Session(options_with(1)), contains_text("a session already"));
  session.start();
  CHECK_THROWS_WITH(session.start(), contains_text("called twice"));
  CHECK_THROWS_WITH(session.serve(), contains_text("call run()"));
  CHECK_THROWS_WITH(session.run([&](Runtime&) -> Task<int> { co_return session.run(make_counters); }),
                    contains_text("in an entry or a main task"));
  std::thread([&] { CHECK_THROWS_WITH(session.run(make_counters), contains_text("another thread")); }).join();
  session.stop();
  CHECK_THROWS_WITH(session.run(make_counters), contains_text("was stopped"));
  session.stop();  // nothing more to end
}

TEST_CASE("a session that was never started leaves nothing behind", "[chares][session]") {
  { const Session session(options_with(2)); }
  Session session(options_with(2));
  CHECK(session.run(make_counters) == 7);
}

}  // namespace kaon::testing::sessions

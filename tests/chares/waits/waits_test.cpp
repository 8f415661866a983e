// SPDX-License-Identifier: Apache-2.0
// What a task can wait for beside messages: quiescence, time, room at the sender; and priorities.
#include "kaon/chares/waits/waits.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::waits {

int runs = 0;
std::vector<int> order;
void reset() {
  runs = 0;
  order.clear();
}

class Node : public Chare<Node> {
 public:
  Inbox<int> stop;

  void spread(int depth) {
    ++runs;
    if (depth == 0) return;
    const int count = array().shape().x;
    array()[(index().x * 7 + depth) % count].send<&Node::spread>(depth - 1);
    array()[(index().x * 3 + 1) % count].send<&Node::spread>(depth - 1);
  }
  Task<> wait_and_send(int times) {
    for (int i = 0; i < times; ++i) {
      co_await this_runtime().sleep_for(std::chrono::microseconds(100));
      ++runs;
    }
    array()[0].send<&Node::spread>(0);
  }
  Task<> sleep(std::int64_t microseconds) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds));
  }
  Task<int> slow() {
    co_await this_runtime().sleep_for(std::chrono::microseconds(300));
    ++runs;
    co_return 1;
  }
  Task<> call_chain(int left) {
    if (left > 0) co_await array()[(index().x + 1) % array().shape().x].call<&Node::call_chain>(left - 1);
    ++runs;
  }
  Task<> wait_for_stop() {
    co_await stop.next();
    ++runs;
  }
  Task<> await_quiet() {
    co_await this_runtime().quiescence();
    ++runs;
  }
  Task<> await_quiet_or_go() {
    co_await any(this_runtime().quiescence(), this_runtime().sleep_for(std::chrono::microseconds(1)));
  }
  void flood(Element<Node> to, int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) to.send<&Node::take>(std::vector<char>(bytes));
  }
  Task<std::size_t> flood_gently(Element<Node> to, int count, std::size_t bytes) {
    std::size_t most = 0;
    for (int i = 0; i < count; ++i) {
      co_await to.ready();
      to.send<&Node::take>(std::vector<char>(bytes));
      most = std::max(most, this_pe().exchange().waiting_bytes());
    }
    co_return most;
  }
  void take(const std::vector<char>&) { ++runs; }
  void note(int value) { order.push_back(value); }
  Task<> note_twice(int value) {
    order.push_back(value);
    co_await this_runtime().sleep_for(std::chrono::microseconds(1));
    order.push_back(value);
  }
};

Task<> quiet_after_spreading(Runtime& runtime) {
  co_await runtime.quiescence();  // of nothing
  const auto nodes = co_await runtime.create<Node>(11);
  for (const int depth : {0, 1, 5, 10}) {
    runs = 0;
    nodes[depth].send<&Node::spread>(depth);
    co_await runtime.quiescence();
    CHECK(runs == (2 << depth) - 1);
  }
}

Task<> quiet_after_timers(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(5);
  nodes.broadcast<&Node::wait_and_send>(3);
  co_await runtime.quiescence();
  CHECK(runs == 5 * 3 + 5);
}

Task<> quiet_after_calls(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(6);
  nodes[2].send<&Node::call_chain>(30);
  nodes[3].send<&Node::slow>();
  nodes.broadcast<&Node::slow>();
  co_await runtime.quiescence();
  CHECK(runs == 31 + 1 + 6);
}

Task<> quiet_while_others_wait_for_messages(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(6);
  nodes.broadcast<&Node::wait_for_stop>();
  co_await runtime.quiescence();
  CHECK(runs == 0);
  nodes.broadcast<&Node::stop>(1);
  co_await runtime.quiescence();
  CHECK(runs == 6);
}

Task<> quiet_for_many(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(6);
  nodes.broadcast<&Node::await_quiet>();
  nodes.broadcast<&Node::await_quiet_or_go>();
  nodes[1].send<&Node::spread>(6);
  co_await runtime.quiescence();
  co_await runtime.quiescence();
  CHECK(runs == 127 + 6);
}

Task<> quiet_after_flood(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2 * static_cast<int>(runtime.pes()));
  const int count = nodes.shape().x;
  for (int i = 0; i < count; ++i) nodes[i].send<&Node::flood>(nodes[count - 1 - i], 50, std::size_t{700});
  co_await runtime.quiescence();
  CHECK(runs == count * 50);
}

Task<> sleep_in_turn(Runtime& runtime) {
  struct Sleeper {
    static Task<> one(Runtime& here, int value) {
      co_await here.sleep_for(std::chrono::microseconds(200 * value));
      order.push_back(value);
    }
  };
  const auto start = this_pe().timers().now();
  co_await all(Sleeper::one(runtime, 3), Sleeper::one(runtime, 1), Sleeper::one(runtime, 2), Sleeper::one(runtime, 0));
  CHECK(order == std::vector<int>{0, 1, 2, 3});
  CHECK(this_pe().timers().now() - start >= std::chrono::microseconds(600));
}

/// Asks again and again, without a pause; the one that is asked for is told by somebody else.
Task<> sleep_for_no_time(Runtime& runtime) {
  struct Asker {
    static Task<> ask(Runtime& here, bool& tells, const bool& told) {
      tells = true;
      for (int i = 0; !told && i < 1000; ++i) co_await here.sleep_for(std::chrono::nanoseconds(-(i % 2)));
      CHECK(told);
    }
  };
  bool first = false, second = false;
  co_await all(Asker::ask(runtime, first, second), Asker::ask(runtime, second, first));
}

/// On one PE, so that all wait in one queue before the first runs.
Task<> run_by_priority(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(3);
  for (const int priority : {5, 0, -7, 100, 0, -7, -100, 5})
    nodes[1].with_priority(priority).send<&Node::note>(priority);
  co_await runtime.quiescence();
  CHECK(order == std::vector<int>{-100, -7, -7, 0, 0, 5, 5, 100});
  order.clear();
  nodes[0].with_priority(9).send<&Node::note_twice>(9);
  nodes[0].send<&Node::note_twice>(0);
  const auto urgent = nodes[0].with_priority(-9);
  urgent.send<&Node::note_twice>(-9);
  co_await urgent.call<&Node::note_twice>(-8);
  co_await runtime.quiescence();
  CHECK(std::vector<int>(order.begin(), order.begin() + 4) == std::vector<int>{-9, -8, 0, 9});
}

Task<> slow_down(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  const std::size_t most = co_await nodes[0].call<&Node::flood_gently>(nodes[1], 200, std::size_t{3000});
  CHECK(runs >= 100);
  CHECK(most < 40'000);  // of 600,000
  co_await runtime.quiescence();
  CHECK(runs == 200);
}

Task<> flood_home(Element<Node> to, int count, std::size_t& most) {
  for (int i = 0; i < count; ++i) {
    co_await to.ready();
    to.send<&Node::take>(std::vector<char>(100));
    most = std::max(most, this_pe().ready_count());
  }
}

Task<> slow_down_at_home(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(1);
  std::size_t most = 0;
  co_await flood_home(nodes[0], 5000, most);
  CHECK(runs >= 4000);
  CHECK(most < 400);
  co_await runtime.quiescence();
  CHECK(runs == 5000);
}

Task<> wait_for_room_at_the_end(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  nodes[0].send<&Node::flood>(nodes[1], 100, std::size_t{3000});
  nodes[0].send<&Node::flood_gently>(nodes[1], 200, std::size_t{3000});
}

Task<> flood_beyond_the_limit(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  nodes[0].send<&Node::flood>(nodes[1], 2000, std::size_t{3000});
  co_await runtime.quiescence();
}

TEST_CASE("quiescence comes after all that messages have caused", "[chares][waits]") {
  run_everywhere(quiet_after_spreading, reset);
}
TEST_CASE("quiescence waits for timers", "[chares][waits]") { run_everywhere(quiet_after_timers, reset); }
TEST_CASE("quiescence waits for calls", "[chares][waits]") { run_everywhere(quiet_after_calls, reset); }
TEST_CASE("quiescence does not wait for tasks that wait for messages", "[chares][waits]") {
  run_everywhere(quiet_while_others_wait_for_messages, reset);
}
TEST_CASE("quiescence is told to all who await it, and may be given up", "[chares][waits]") {
  run_everywhere(quiet_for_many, reset);
}
TEST_CASE("quiescence waits for messages beyond the credits", "[chares][waits]") {
  reset();
  Scene scene({2, 2}, with(&Options::credits, 2));
  scene.run(quiet_after_flood);
}
TEST_CASE("quiescence comes after a timer of hours", "[chares][waits]") {
  Scene(GENERATE(Network::Shape(1, 1), Network::Shape(2, 2))).run([](Runtime& runtime) -> Task<> {
    const auto nodes = co_await runtime.create<Node>(2);
    const auto start = this_pe().timers().now();
    nodes[1].send<&Node::sleep>(std::int64_t{3'600'000'000});
    co_await runtime.quiescence();
    CHECK(this_pe().timers().now() - start >= std::chrono::hours(1));
  });
}

TEST_CASE("sleepers wake in the order of their times", "[chares][waits]") {
  reset();
  Scene({1, 1}).run(sleep_in_turn);
  Scene({1, 1}).run(sleep_for_no_time);
}
TEST_CASE("messages run by priority, equals in order", "[chares][waits]") {
  reset();
  Scene({1, 1}).run(run_by_priority);
}
TEST_CASE("ready() slows a sender down to its receiver", "[chares][waits]") {
  reset();
  Scene scene({2, 1}, with(&Options::credits, 2));
  scene.run(slow_down);
}
TEST_CASE("ready() slows a task down that sends to its own PE", "[chares][waits]") {
  reset();
  Scene({1, 1}).run(slow_down_at_home);
}
TEST_CASE("a run may end while a task waits for room", "[chares][waits]") {
  Scene scene({2, 1}, with(&Options::credits, 2));
  scene.run(wait_for_room_at_the_end);
  scene.network().run_all();
  scene.network().on(0, [](Pe& pe) { CHECK(pe.exchange().outbox(1).is_congested()); });
}
TEST_CASE("a flood beyond the limit ends with an error that says what to do", "[chares][waits]") {
  Options options = with(&Options::credits, 2);
  options.queue_limit_mib = 1;
  const std::string text = thrown<OutOfMemory>([&] { Scene({2, 1}, options).run(flood_beyond_the_limit); });
  CHECK(has(text, "await ready() before sending, or raise --queue-limit-mib"));
}

}  // namespace kaon::testing::waits

// SPDX-License-Identifier: Apache-2.0
// Floods of those who await ready(), into PEs that run as often as the test says: what is under way stays within a
// window, whatever its priority and whoever passes it on.
#include <algorithm>
#include <chrono>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::floods {

constexpr int kLate = 5, kUrgent = -5;

int sent = 0, taken = 0, taken_urgent = 0, given_up = 0;
bool is_busy = false;
bool is_pausing = false;
std::size_t most_ready = 0;

class Node : public Chare<Node> {
 public:
  /// Always ready again: what has a priority above 0 is never run.
  void stay_busy() {
    if (is_busy) array()[index()].send<&Node::stay_busy>();
  }
  void take(const std::vector<char>&) { ++taken; }
  void take_urgent() { ++taken_urgent; }
  Task<> pass_on(Element<Node> to, std::vector<char> values) {
    co_await to.ready();
    to.send<&Node::take>(std::move(values));
  }

  Task<> flood(Element<Node> to, int count, std::size_t bytes) {
    for (sent = 0; sent < count; ++sent) {
      co_await to.ready();
      to.with_priority(kLate).send<&Node::take>(std::vector<char>(bytes));
    }
  }
  Task<> flood_through(Element<Node> forwarder, Element<Node> to, int count, std::size_t bytes) {
    for (sent = 0; sent < count; ++sent) {
      co_await forwarder.ready();
      forwarder.send<&Node::pass_on>(to, std::vector<char>(bytes));
    }
  }
  /// One of many that wait for room on their own PE.
  Task<> send_when_there_is_room(Element<Node> to) {
    co_await to.ready();
    to.send<&Node::note_ready>();
  }
  /// Until `to` has room, which is not soon.
  Task<> give_up_waiting(Element<Node> to) {
    const auto first = co_await any(to.ready(), this_runtime().sleep_for(std::chrono::microseconds(1)));
    CHECK(first.index() == 1);
    ++given_up;
    co_await this_runtime().sleep_for(std::chrono::seconds(1));  // when there has been room for long
    ++given_up;
  }
  /// One that sends to itself.
  Task<> flood_itself(int count) {
    for (int i = 0; i < count; ++i) {
      co_await self().ready();
      self().send<&Node::note_pause>();
    }
  }
  void note_pause() {
    ++taken;
    is_pausing = is_pausing || !this_pe().timers().empty();
  }
  void note_ready() {
    ++taken;
    most_ready = std::max(most_ready, this_pe().ready_count());
  }
  Task<> be_urgent(Element<Node> to) {
    co_await to.ready();
    to.with_priority(kUrgent).send<&Node::take_urgent>();
  }
};

Proxy<Node> nodes;

Task<> start_nodes(Runtime& runtime) {
  sent = taken = taken_urgent = given_up = 0;
  is_busy = false;
  nodes = co_await runtime.create<Node>(static_cast<int>(runtime.pes()));
}

constexpr int kManyLate = 10'000;

Task<> flood_who_is_busy(Runtime& runtime) {
  co_await start_nodes(runtime);
  is_busy = true;
  for (int i = 0; i < 300; ++i) nodes[1].send<&Node::stay_busy>();  // more than a PE counts as little
  nodes[0].send<&Node::flood>(nodes[1], kManyLate, std::size_t{3000});
}

Task<> send_urgently(Runtime&) {
  nodes[0].send<&Node::be_urgent>(nodes[1]);
  co_return;
}

constexpr int kManyTasks = 5000;

Task<> wait_for_own_room(Runtime& runtime) {
  co_await start_nodes(runtime);
  most_ready = 0;
  for (int i = 0; i < kManyTasks; ++i) nodes[0].send<&Node::send_when_there_is_room>(nodes[0]);
}

constexpr int kManyPassedOn = 500;

Task<> flood_a_forwarder(Runtime& runtime) {
  co_await start_nodes(runtime);
  nodes[0].send<&Node::flood_through>(nodes[1], nodes[2], kManyPassedOn, std::size_t{512} << 10);
}

constexpr int kReceipt = 256;  // messages, the most for which room comes at once
constexpr int kWindow = 9 * kReceipt;

/// All run freely, but for the last PE, which runs one piece of work meanwhile.
void run_round(Network& network) {
  for (PeId pe = 0; pe + 1 < network.pes(); ++pe) network.run(pe);
  network.run(network.pes() - 1, 1);
  while (network.wire().deliver_next()) {
  }
  network.pass(std::chrono::microseconds{10});
}

int taken_at_quiescence = 0;

TEST_CASE("a flood of a priority that is never run stays within a window, and urgent messages pass it",
          "[chares][flood]") {
  const Network::Shape shape = GENERATE(Network::Shape(2, 1), Network::Shape(1, 2));
  Scene scene(shape);
  Network& network = scene.network();
  scene.run(flood_who_is_busy);
  network.run_until([] { return sent == kManyLate; }, 5'000);
  CHECK(sent > 0);
  CHECK(sent < kWindow);
  CHECK(taken == 0);
  scene.start(send_urgently);
  CHECK(network.run_until([] { return taken_urgent == 1; }, 10'000'000));
  is_busy = false;
  CHECK(network.run_until([] { return taken == kManyLate; }, 10'000'000));
}

TEST_CASE("a flood through a PE that passes it on stays within the windows of both", "[chares][flood]") {
  const Network::Shape shape = GENERATE(Network::Shape(3, 1), Network::Shape(1, 3));
  Scene scene(shape, with(&Options::credits, 16));
  scene.run(flood_a_forwarder);
  int most_under_way = 0;
  for (int round = 0; round < 10'000'000 && taken < kManyPassedOn; ++round) {
    run_round(scene.network());
    most_under_way = std::max(most_under_way, sent - taken);
  }
  CHECK(taken == kManyPassedOn);
  CHECK(most_under_way > 0);
  CHECK(most_under_way < kManyPassedOn / 2);
}

TEST_CASE("of those who wait for room on their own PE as many go on as there is room for", "[chares][flood]") {
  constexpr std::size_t kMostReady = 400;
  Scene scene({1, 1}, with(&Options::serialize_always, false));
  scene.run(wait_for_own_room);
  CHECK(scene.network().run_until([] { return taken == kManyTasks; }, 10'000'000));
  CHECK(most_ready > 0);
  CHECK(most_ready < kMostReady);
}

TEST_CASE("who waits for what it sent itself goes on behind it, and not after a pause", "[chares][flood]") {
  static constexpr int kMany = 5000;
  Scene scene({1, 1}, with(&Options::serialize_always, false));
  is_pausing = false;
  scene.run([](Runtime& runtime) -> Task<> {
    co_await start_nodes(runtime);
    nodes[0].send<&Node::flood_itself>(kMany);
  });
  CHECK(scene.network().run_until([] { return taken == kMany; }, 10'000'000));
  CHECK_FALSE(is_pausing);
}

TEST_CASE("there is no quiescence while somebody waits for room", "[chares][flood]") {
  static constexpr int kMany = 2000;
  Scene scene(GENERATE(Network::Shape(1, 1), Network::Shape(1, 2), Network::Shape(2, 1)));
  scene.run([](Runtime& runtime) -> Task<> {
    co_await start_nodes(runtime);
    const int last = static_cast<int>(runtime.pes()) - 1;
    nodes[0].send<&Node::flood>(nodes[last], kMany, std::size_t{700});
    for (int i = 0; i < kMany; ++i) nodes[0].send<&Node::send_when_there_is_room>(nodes[last]);
    co_await runtime.quiescence();
    taken_at_quiescence = taken;
  });
  CHECK(taken_at_quiescence == 2 * kMany);
}

TEST_CASE("who waits for room on a PE that is never idle goes on after a while", "[chares][flood]") {
  constexpr int kBusy = 300;  // more than a PE has room for
  Scene scene({1, 1}, with(&Options::serialize_always, false));
  scene.run([](Runtime& runtime) -> Task<> {
    co_await start_nodes(runtime);
    is_busy = true;
    for (int i = 0; i < kBusy; ++i) nodes[0].send<&Node::stay_busy>();
    for (int i = 0; i < 3; ++i) nodes[0].send<&Node::send_when_there_is_room>(nodes[0]);
  });
  CHECK(scene.network().run_until([] { return taken == 3; }, 100'000'000));
  is_busy = false;
}

TEST_CASE("who has given up waiting for room is not told of any", "[chares][flood]") {
  static constexpr int kMany = 10;
  const Network::Shape shape = GENERATE(Network::Shape(1, 1), Network::Shape(1, 2), Network::Shape(2, 1));
  Scene scene(shape, with(&Options::serialize_always, false));
  Network& network = scene.network();
  scene.run([](Runtime& runtime) -> Task<> {
    co_await start_nodes(runtime);
    is_busy = true;
    const Element<Node> last = nodes[static_cast<int>(runtime.pes()) - 1];
    for (int i = 0; i < 300; ++i) last.send<&Node::stay_busy>();
    nodes[0].send<&Node::flood>(last, kManyLate, std::size_t{3000});
  });
  network.run_until([] { return sent == kManyLate; }, 5'000);
  scene.start([](Runtime& runtime) -> Task<> {
    const Element<Node> last = nodes[static_cast<int>(runtime.pes()) - 1];
    for (int i = 0; i < kMany; ++i) nodes[0].send<&Node::give_up_waiting>(last);
    co_return;
  });
  CHECK(network.run_until([] { return given_up == kMany; }, 10'000'000));
  is_busy = false;
  CHECK(network.run_until([] { return taken == kManyLate; }, 10'000'000));
  CHECK(given_up == kMany);
  CHECK(network.run_until([] { return given_up == 2 * kMany; }, 10'000'000));
}

}  // namespace kaon::testing::floods

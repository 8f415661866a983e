// SPDX-License-Identifier: Apache-2.0
// Sent(payload) of host memory: told when the memory is free, and not before.
#include "kaon/runtime/payloads/sent.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::host_sent {

constexpr int kSize = 5000;

std::vector<int> numbers(int first) {
  std::vector<int> values(kSize);
  std::iota(values.begin(), values.end(), first);
  return values;
}

int told = 0;
void reset() { told = 0; }

enum class Taker : int { dropper, keeper, lander };

class Node : public Chare<Node> {
 public:
  void drop(Payload<int>) { ++taken_; }
  void keep(Payload<int> values) {
    kept_ = std::move(values);
    ++taken_;
  }
  void land(Payload<int> values) { keep(std::move(values)); }
  Landing post(PostFor<&Node::land>, const Payload<int>&) { return Landing::into(std::span<int>(landing_)); }

  Task<> give(Element<Node> to, Taker taker, int first) {
    Payload<int> payload(numbers(first));
    Sent sent(payload);
    if (taker == Taker::dropper)
      to.send<&Node::drop>(std::move(payload));
    else if (taker == Taker::keeper)
      to.send<&Node::keep>(std::move(payload));
    else
      to.send<&Node::land>(std::move(payload));
    co_await sent;
    ++told;
  }

  int taken() { return taken_; }
  /// Gives up what it has kept; says whether that was what was sent.
  bool forget(int first) {
    const Payload<int> values = std::move(kept_);
    const std::vector<int> wanted = numbers(first);
    return std::equal(values.view().begin(), values.view().end(), wanted.begin(), wanted.end());
  }

 private:
  Payload<int> kept_;
  std::vector<int> landing_ = std::vector<int>(kSize);
  int taken_ = 0;
};

Task<> wait_until_taken(Element<Node> node, int count) {
  for (int taken = 0; taken < count;) taken = co_await node.call<&Node::taken>();
}

Task<> give_to_all(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(static_cast<int>(runtime.pes()) + 1);
  int given = 0;
  for (int to = 0; to < nodes.shape().x; ++to) {
    ++given;
    co_await nodes[0].call<&Node::give>(nodes[to], Taker::dropper, given);
    // its bytes lie elsewhere, so that the receiver may keep what came
    ++given;
    co_await nodes[0].call<&Node::give>(nodes[to], Taker::lander, given);
    co_await wait_until_taken(nodes[to], 2);
    const bool is_right = co_await nodes[to].call<&Node::forget>(given);
    CHECK(is_right);
  }
  CHECK(told == given);
}

Task<> give_to_who_keeps(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2);
  nodes[0].send<&Node::give>(nodes[1], Taker::keeper, 3);
  co_await wait_until_taken(nodes[1], 1);
  CHECK(told == 0);
  const bool is_right = co_await nodes[1].call<&Node::forget>(3);
  CHECK(is_right);
  co_await runtime.quiescence();
  CHECK(told == 1);
}

TEST_CASE("a sender is told that its payload's memory is free when it was taken or has landed", "[chares][sent]") {
  run_everywhere(host_sent::give_to_all, host_sent::reset);
}

TEST_CASE("a payload's memory is not free while its receiver in the process keeps it", "[chares][sent]") {
  host_sent::reset();
  Scene({1, 2}, with(&Options::serialize_always, false)).run(host_sent::give_to_who_keeps);
}

}  // namespace kaon::testing::host_sent

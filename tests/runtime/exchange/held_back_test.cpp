// SPDX-License-Identifier: Apache-2.0
// What a PE is told whose batches cannot leave before its network moves: somebody who computes for long asks.
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::held_back {

int taken = 0;

void take(Pe&, int) { ++taken; }

/// Each in a batch of its own.
void send(Network& network, int count) {
  network.on(0, [count](Pe& pe) {
    for (int i = 0; i < count; ++i) {
      RemoteProcedure<&take, Counting::counted>::send(pe, 1, i);
      pe.flush();
    }
  });
}

bool awaits_network(Network& network) {
  return network.on(0, [](Pe& pe) { return pe.exchange().awaits_progress(); });
}

TEST_CASE("a batch that waits for credits leaves when the network has moved", "[runtime][outbox][held_back]") {
  constexpr int kCredits = 4;
  Options options = default_options();
  options.credits = kCredits;
  Network network({2, 1}, options);
  network.wire().copy_at_once(true);
  taken = 0;
  CHECK_FALSE(awaits_network(network));
  send(network, kCredits);
  CHECK_FALSE(awaits_network(network));
  send(network, 1);
  CHECK(awaits_network(network));
  network.run_until_idle();
  CHECK(taken == kCredits + 1);
  CHECK_FALSE(awaits_network(network));
}

TEST_CASE("a batch that the network has yet to take leaves when that has moved", "[runtime][outbox][held_back]") {
  Network network({2, 1});
  taken = 0;
  send(network, 1);
  CHECK(awaits_network(network));
  network.run_until_idle();
  CHECK(taken == 1);
  CHECK_FALSE(awaits_network(network));
}

}  // namespace kaon::testing::held_back

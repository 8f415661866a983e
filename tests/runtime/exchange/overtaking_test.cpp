// SPDX-License-Identifier: Apache-2.0
// Small messages do not wait behind bulk data that waits for credits.
#include <algorithm>
#include <vector>

#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::overtaking {

constexpr int kSmall = 1000;          // numbers of small messages begin there
std::vector<std::vector<int>> taken;  // by receiving PE: the numbers that came, in order

void take(Pe& pe, int number, std::vector<char>) { taken[pe.id()].push_back(number); }

void send(Network& network, PeId from, int number, std::size_t bytes) {
  network.on(from, [&](Pe& pe) {
    RemoteProcedure<&take, Counting::counted>::send(pe, 1 - from, number, std::vector<char>(bytes));
    pe.flush();
  });
}

void send_bulk(Network& network, PeId from, int count) {
  for (int i = 0; i < count; ++i) send(network, from, i, std::size_t{20} << 20);
}

std::size_t place_of(int number, const std::vector<int>& numbers) {
  return static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
}

void start(Network& network) { taken.assign(network.pes(), {}); }

TEST_CASE("a small message overtakes bulk data that waits for credits", "[runtime][outbox][overtaking]") {
  Network network({2, 1});
  start(network);
  send_bulk(network, 0, 8);
  send(network, 0, kSmall, 8);
  network.run_until_idle();
  REQUIRE(taken[1].size() == 9);
  CHECK(place_of(kSmall, taken[1]) <= 3);  // of the bulk data three are under way
}

TEST_CASE("an answer does not wait for all the bulk data that its sender sends", "[runtime][outbox][overtaking]") {
  Network network({2, 1});
  start(network);
  for (const PeId from : {0u, 1u}) send_bulk(network, from, 8);
  for (const PeId from : {0u, 1u}) send(network, from, kSmall, 8);
  network.run_until_idle();
  for (const PeId to : {0u, 1u}) {
    REQUIRE(taken[to].size() == 9);
    CHECK(place_of(kSmall, taken[to]) <= 3);
  }
}

TEST_CASE("a small message that waits is not taken along by bulk data", "[runtime][outbox][overtaking]") {
  const auto send_both = [](Pe& pe, int small, int bulk) {
    const auto message = [&](int number, std::size_t bytes) {
      RemoteProcedure<&take, Counting::counted>::send(pe, 1, number, std::vector<char>(bytes));
    };
    message(small, 8);
    message(bulk, std::size_t{20} << 20);
  };
  constexpr int kPairs = 6;
  Network network({2, 1});
  start(network);
  send_bulk(network, 0, 8);
  for (int i = 0; i < kPairs; ++i)
    network.on(0, [&](Pe& pe) {
      send_both(pe, kSmall + i, 100 + i);
      pe.flush();
    });
  network.run_until_idle();
  REQUIRE(taken[1].size() == 8 + 2 * kPairs);
  for (int i = 0; i < kPairs; ++i) CHECK(place_of(kSmall + i, taken[1]) <= 3 + kPairs);
}

TEST_CASE("what parts from bulk data waits for credits", "[runtime][outbox][overtaking]") {
  constexpr int kCredits = 4;
  Options options = default_options();
  options.credits = kCredits;
  Network network({2, 1}, options);
  start(network);
  for (int i = 0; i < kCredits; ++i) send(network, 0, i, 7000);  // one a batch
  network.on(0, [](Pe& pe) {
    RemoteProcedure<&take, Counting::counted>::send(pe, 1, kSmall, std::vector<char>(8));
    RemoteProcedure<&take, Counting::counted>::send(pe, 1, 100, std::vector<char>(std::size_t{20} << 20));
  });
  network.run_all();
  CHECK(network.wire().pending().size() == kCredits);
  network.run_until_idle();
  CHECK(taken[1].size() == kCredits + 2);
}

TEST_CASE("bulk data that waits is overtaken a bounded number of times", "[runtime][outbox][overtaking]") {
  constexpr int kMany = 1000;
  Network network({2, 1});
  start(network);
  send_bulk(network, 0, 4);
  for (int i = 0; i < kMany; ++i) send(network, 0, kSmall + i, 7000);  // one a batch
  network.run_until_idle();
  REQUIRE(taken[1].size() == kMany + 4);
  CHECK(place_of(3, taken[1]) < kMany / 2);
}

TEST_CASE("small messages overtake each piece of bulk data that waits", "[runtime][outbox][overtaking]") {
  constexpr int kMany = 1000;
  constexpr int kBulk = 8;  // of which three do not wait
  Network network({2, 1});
  start(network);
  send_bulk(network, 0, kBulk);
  for (int i = 0; i < kMany; ++i) send(network, 0, kSmall + i, 7000);  // one a batch
  network.run_until_idle();
  REQUIRE(taken[1].size() == kMany + kBulk);
  CHECK(place_of(kBulk - 1, taken[1]) > (kBulk - 4) * 50);
}

TEST_CASE("bulk data leaves although the receiver owes as many credits as it may", "[runtime][outbox][overtaking]") {
  Network network({2, 1});
  for (int owed = 1; owed < 64; ++owed) {
    start(network);
    for (int i = 0; i < owed; ++i) send(network, 0, kSmall + i, 7000);
    network.run_until_idle();
    send_bulk(network, 0, 2);
    network.run_until_idle();
    REQUIRE(taken[1].size() == static_cast<std::size_t>(owed) + 2);
  }
}

}  // namespace kaon::testing::overtaking

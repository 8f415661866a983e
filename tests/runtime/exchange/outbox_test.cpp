// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/outbox.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/chares/waits/room.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/backpressure.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::outboxes {

std::vector<std::vector<int>> taken;  // by receiving PE: the numbers that came, in order

void take(Pe& pe, int number, std::vector<char>) { taken[pe.id()].push_back(number); }
void take_payload(Pe& pe, int number, Payload<char>) { taken[pe.id()].push_back(number); }
void take_both(Pe& pe, std::vector<char> argument, Payload<char>) { take(pe, static_cast<int>(argument.size()), {}); }

using Plain = MessageFunctions<int>;

void run_plain(Work& work, Pe& pe) {
  auto& message = static_cast<Plain::Typed&>(work);
  taken[pe.id()].push_back(std::get<0>(message.arguments));
  Plain::destroy(message, pe.pool());
  pe.count_done();
}

EntryRecord plain_record = Plain::record("kaon::testing::outboxes::plain", &run_plain);
const EntryRecord* const plain = enlist(plain_record);

void take_control(Pe& pe, int number) { taken[pe.id()].push_back(number); }

void flood(Network& network, PeId from, PeId to, int count, std::size_t bytes) {
  network.on(from, [&](Pe& pe) {
    for (int i = 0; i < count; ++i)
      RemoteProcedure<&take, Counting::counted>::send(pe, to, i, std::vector<char>(bytes, static_cast<char>(i)));
  });
}

std::vector<int> up_to(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

Options with_credits(int credits) {
  Options options = default_options();
  options.credits = credits;
  return options;
}

std::size_t count_pending(Network& network, LoopbackNetwork::Kind kind) {
  std::size_t count = 0;
  for (const auto& parcel : network.wire().pending()) count += parcel.kind == kind ? 1 : 0;
  return count;
}

void start(Network& network) { taken.assign(network.pes(), {}); }

TEST_CASE("a small message reaches a PE of another process", "[runtime][outbox]") {
  Network network({2, 1});
  start(network);
  flood(network, 0, 1, 1, 3);
  network.run(0);
  REQUIRE(network.wire().pending().size() == 1);
  network.wire().deliver_next();
  network.run_all();
  CHECK(taken[1] == up_to(1));
}

TEST_CASE("messages sent in one go share a batch", "[runtime][outbox]") {
  Options options = default_options();
  options.coalesce_us = 1e6;  // whatever the clock says
  Network network({2, 1}, options);
  start(network);
  Work piece;
  piece.run = [](Work&, Pe& pe) {
    for (int i = 0; i < 50; ++i) RemoteProcedure<&take, Counting::counted>::send(pe, 1, i, std::vector<char>(3));
  };
  network.on(0, [&](Pe& pe) { pe.enqueue(piece); });
  network.run(0);
  CHECK(network.wire().pending().size() == 1);
  network.run_until_idle();
  CHECK(taken[1] == up_to(50));
}

TEST_CASE("no more batches are under way than there are credits", "[runtime][outbox]") {
  Network network({2, 1}, with_credits(4));
  start(network);
  flood(network, 0, 1, 100, 3000);
  network.run_all();
  CHECK(network.wire().pending().size() == 4);
  network.on(0, [](Pe& pe) {
    CHECK(pe.exchange().outbox(1).is_congested());
    CHECK(pe.exchange().outbox(1).waiting_bytes() == pe.exchange().waiting_bytes());
    CHECK(pe.exchange().waiting_bytes() > 0);
  });
  network.run_until_idle();
  CHECK(taken[1] == up_to(100));
  network.on(0, [](Pe& pe) {
    CHECK_FALSE(pe.exchange().outbox(1).is_congested());
    CHECK(pe.exchange().outbox(1).waiting_bytes() == 0);
    CHECK(pe.exchange().waiting_bytes() == 0);
  });
}

TEST_CASE("large arguments use credits by their bytes, leave a quarter, and three of any size are under way",
          "[runtime][outbox]") {
  const std::size_t mib = GENERATE(as<std::size_t>(), 1, 4, 16, 40);
  Network network({2, 1}, with_credits(64));
  start(network);
  const int count = mib == 1 ? 70 : 18;
  flood(network, 0, 1, count, mib << 20);
  network.run_all();
  CHECK(count_pending(network, LoopbackNetwork::Kind::payload) == (mib == 40 ? 3 : 48 / mib));
  network.run_until_idle();
  std::sort(taken[1].begin(), taken[1].end());
  CHECK(taken[1] == up_to(count));
}

TEST_CASE("credits come back although the receiver sends nothing of its own", "[runtime][outbox]") {
  const int credits = GENERATE(2, 3, 5, 64);
  Network network({2, 1}, with_credits(credits));
  start(network);
  for (int round = 0; round < 20; ++round) {
    taken[1].clear();
    flood(network, 0, 1, 60, 2500);
    network.run_until_idle();
    REQUIRE(taken[1] == up_to(60));
  }
}

TEST_CASE("nothing is lost or reordered within a lane whatever the sizes and the order of delivery",
          "[runtime][outbox]") {
  const int seed = GENERATE(range(1, 40));
  Network network({2, 1}, with_credits(2 + seed % 5), static_cast<std::uint64_t>(seed));
  network.wire().copy_at_once(seed % 2 == 0);
  start(network);
  int number = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t bytes = network.random()() % 3900;
    network.on(
        0, [&](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, number++, std::vector<char>(bytes)); });
    network.run_until([] { return false; }, static_cast<int>(network.random()() % 6));
  }
  network.run_until_idle();
  CHECK(taken[1] == up_to(number));
}

TEST_CASE("control messages pass although the data lane has no credit", "[runtime][outbox]") {
  Network network({2, 1}, with_credits(2));
  start(network);
  flood(network, 0, 1, 100, 3000);
  network.run_all();
  network.wire().hold([](const auto& parcel) { return parcel.kind == LoopbackNetwork::Kind::data; });
  network.on(0, [](Pe& pe) { RemoteProcedure<&take_control>::send(pe, 1, 7); });
  network.run_until_idle();
  CHECK(taken[1] == std::vector<int>{7});
  network.wire().hold({});
  network.run_until_idle();
  CHECK(taken[1].size() == 101);
}

TEST_CASE("floods in both directions end", "[runtime][outbox]") {
  const int seed = GENERATE(range(1, 20));
  Network network({2, 2}, with_credits(2 + seed % 3), static_cast<std::uint64_t>(seed));
  start(network);
  for (PeId from = 0; from < 4; ++from) flood(network, from, (from + 2) % 4, 300, 500 + 70 * from);
  network.run_until_idle();
  for (PeId to = 0; to < 4; ++to) CHECK(taken[to] == up_to(300));
}

TEST_CASE("a sender that holds too much for others ends the run and says what to change", "[runtime][outbox]") {
  Options options = with_credits(2);
  options.queue_limit_mib = 1;
  Network network({2, 1}, options);
  start(network);
  network.wire().hold([](const auto&) { return true; });
  std::string text;
  try {
    flood(network, 0, 1, 1000, 3000);
  } catch (const OutOfMemory& error) {
    text = error.what();
  }
  for (const char* part : {"PE 0", "PE 1", "--queue-limit-mib"}) CHECK(text.find(part) != text.npos);
}

TEST_CASE("who waits for an outbox to drain is woken when nothing waits for credits", "[runtime][outbox]") {
  Network network({2, 1}, with_credits(2));
  start(network);
  flood(network, 0, 1, 100, 3000);
  network.run_all();
  bool is_woken = false;
  const auto wait_for_room = [](bool& woken) -> Task<> {
    REQUIRE(this_pe().backpressure().is_congested(1));
    co_await Awaitable<RoomWait>(this_pe(), 1);
    woken = true;
    CHECK_FALSE(this_pe().backpressure().is_congested(1));
  };
  Work at_end;
  at_end.run = [](Work&, Pe&) {};
  std::coroutine_handle<Task<>::promise_type> task;
  network.on(0, [&](Pe&) {
    task = wait_for_room(is_woken).release();
    task.promise().start(task, at_end, nullptr);
  });
  network.run_all();
  CHECK_FALSE(is_woken);
  network.run_until_idle();
  CHECK(is_woken);
  network.on(0, [&](Pe&) { task.destroy(); });
}

TEST_CASE("credits bound the payloads that are under way, and what waits weighs as much as they do",
          "[runtime][outbox]") {
  constexpr std::size_t kBytes = 200'000;
  Network network({2, 1}, with_credits(2));
  start(network);
  network.on(0, [&](Pe& pe) {
    for (int i = 0; i < 20; ++i)
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, i, Payload<char>(std::vector<char>(kBytes)));
  });
  network.run_all();
  CHECK(count_pending(network, LoopbackNetwork::Kind::data) == 2);
  const std::size_t under_way = count_pending(network, LoopbackNetwork::Kind::payload);
  CHECK(under_way <= 6);
  CHECK(network.pe(0).exchange().waiting_bytes() >= (20 - under_way - 2) * kBytes);
  network.run_until_idle();
  CHECK(taken[1].size() == 20);
}

TEST_CASE("a batch announces no more payload than a credit stands for", "[runtime][outbox]") {
  constexpr std::size_t kBytes = 200'000;
  Network network({2, 1});
  start(network);
  Work piece;
  piece.run = [](Work&, Pe& pe) {
    for (int i = 0; i < 20; ++i)
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, i, Payload<char>(std::vector<char>(kBytes)));
  };
  network.on(0, [&](Pe& pe) { pe.enqueue(piece); });
  network.run(0);
  CHECK(count_pending(network, LoopbackNetwork::Kind::payload) == 20);
  CHECK(count_pending(network, LoopbackNetwork::Kind::data) == 10);  // the second is beyond 256 KiB
  network.run_until_idle();
  CHECK(taken[1].size() == 20);
}

TEST_CASE("a message keeps its priority on its way to another process", "[runtime][outbox]") {
  Network network({2, 1});
  start(network);
  network.on(0, [](Pe& pe) {
    for (const int priority : {5, 0, -5}) {
      auto& message = Plain::make(pe.pool(), *plain, priority);
      message.priority = priority;
      pe.route(message, 1);
    }
  });
  network.run_all();
  while (network.wire().deliver_next()) {
  }
  network.run_all();
  CHECK(taken[1] == std::vector<int>{-5, 0, 5});
}

TEST_CASE("no batch is longer than a receive, however closely it is filled", "[runtime][outbox]") {
  Network network({2, 1});
  start(network);
  for (std::size_t bytes = kBatchBytes - 200; bytes <= kBatchBytes; ++bytes) {
    network.on(0, [&](Pe& pe) {
      RemoteProcedure<&take_both, Counting::counted>::send(pe, 1, std::vector<char>(bytes),
                                                           Payload<char>(std::vector<char>(4096)));
    });
    network.run(0);
    for (const auto& parcel : network.wire().pending())
      if (parcel.kind == LoopbackNetwork::Kind::data) REQUIRE(parcel.bytes.size() <= kBatchBytes);
    network.run_until_idle();
  }
  CHECK(taken[1].size() == 201);
}

TEST_CASE("more credits than were used are an error of the peer", "[runtime][outbox]") {
  Network network({2, 1}, with_credits(4));
  network.on(0, [](Pe& pe) {
    pe.exchange().outbox(1).credits_returned(0);
    CHECK_THROWS_AS(pe.exchange().outbox(1).credits_returned(1), CorruptMessage);
  });
}

}  // namespace kaon::testing::outboxes

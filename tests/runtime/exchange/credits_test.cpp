// SPDX-License-Identifier: Apache-2.0
// What waits for credits, how they come back, and who is told.
#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <vector>

#include "kaon/chares/waits/room.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/testing/network.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::credits {

constexpr auto kData = LoopbackNetwork::Kind::data;
constexpr auto kControl = LoopbackNetwork::Kind::control;

int taken = 0;

void take(Pe&, std::vector<char>) { ++taken; }
void take_payload(Pe&, Payload<char>) { ++taken; }

void send(Pe& pe, std::size_t bytes) {
  RemoteProcedure<&take, Counting::counted>::send(pe, 1 - pe.id(), std::vector<char>(bytes));
}

/// Each message is offered to the network before the next is sent.
void send_apart(Network& network, int count, std::size_t bytes) {
  network.on(0, [&](Pe& pe) {
    for (int i = 0; i < count; ++i) {
      send(pe, bytes);
      pe.flush();
    }
  });
}

std::ptrdiff_t count_pending(Network& network, LoopbackNetwork::Kind kind) {
  const auto& pending = network.wire().pending();
  return std::count_if(pending.begin(), pending.end(), [&](const auto& parcel) { return parcel.kind == kind; });
}

/// Delivers everything in its order; how many parcels of a kind there were.
int deliver_all(Network& network, LoopbackNetwork::Kind kind) {
  int count = 0;
  for (network.run_all(); !network.wire().pending().empty(); network.run_all()) {
    count += network.wire().pending().front().kind == kind ? 1 : 0;
    network.wire().deliver_next();
  }
  return count;
}

/// A task of PE 0 that waits for room at PE 1.
class RoomTask {
 public:
  explicit RoomTask(Network& network) : network_(network) {
    at_end_.run = [](Work&, Pe&) {};
    network_.on(0, [this](Pe&) {
      task_ = wait(is_told_).release();
      task_.promise().start(task_, at_end_, nullptr);
    });
  }
  RoomTask(const RoomTask&) = delete;
  RoomTask& operator=(const RoomTask&) = delete;
  ~RoomTask() {
    network_.on(0, [this](Pe&) { task_.destroy(); });
  }
  bool is_told() const { return is_told_; }

 private:
  static Task<> wait(bool& told) {
    co_await Awaitable<RoomWait>(this_pe(), 1);
    told = true;
  }

  Network& network_;
  bool is_told_ = false;
  Work at_end_;
  std::coroutine_handle<Task<>::promise_type> task_;
};

TEST_CASE("small messages that wait for credits are packed together", "[runtime][outbox][credits]") {
  Network network({2, 1}, with(&Options::credits, 1));
  taken = 0;
  send_apart(network, 100, 8);
  CHECK(deliver_all(network, kData) == 2);  // the first, and all that waited for it
  CHECK(taken == 100);
}

TEST_CASE("a message with a payload of some size shares a batch with small ones where none has to wait",
          "[runtime][outbox][credits]") {
  Network network({2, 1});
  taken = 0;
  network.on(0, [](Pe& pe) {
    send(pe, 8);
    RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(100'000)));
    send(pe, 8);
  });
  CHECK(deliver_all(network, kData) == 1);
  CHECK(taken == 3);
}

TEST_CASE("credits come back half a window at a time, or with what the receiver sends anyway",
          "[runtime][outbox][credits]") {
  Network network({2, 1}, with(&Options::credits, 16));
  taken = 0;
  int returned = 0;
  for (int i = 0; i < 32; ++i) {
    send_apart(network, 1, 8);
    returned += deliver_all(network, kControl);
  }
  CHECK(returned == 4);
  for (int i = 0; i < 3; ++i) {
    send_apart(network, 1, 8);
    (void)deliver_all(network, kControl);
    network.on(1, [](Pe& pe) { send(pe, 8); });
    network.run(1);
    CHECK(network.wire().pending().size() == 1);
    CHECK(count_pending(network, kData) == 1);
    (void)deliver_all(network, kControl);
  }
  CHECK(taken == 38);
}

TEST_CASE("who waits for room is told each time that there is some", "[runtime][outbox][credits]") {
  Network network({2, 1}, with(&Options::credits, 2));
  for (int round = 0; round < 3; ++round) {
    send_apart(network, 100, 3000);
    const RoomTask task(network);
    network.run_all();
    CHECK_FALSE(task.is_told());
    network.run_until_idle();
    CHECK(task.is_told());
  }
}

TEST_CASE("who waits for room goes on before other work that is ready", "[runtime][outbox][credits]") {
  Network network({2, 1}, with(&Options::credits, 2));
  send_apart(network, 100, 3000);
  const RoomTask task(network);
  network.run_all();
  std::vector<Work> others(100);
  network.on(0, [&](Pe& pe) {
    for (Work& other : others) {
      other.run = [](Work&, Pe&) {};
      pe.enqueue(other);
    }
  });
  Outbox& outbox = network.pe(0).exchange().outbox(1);
  for (int i = 0; i < 1000 && outbox.is_congested(); ++i) {
    while (network.wire().deliver_next()) {
    }
    network.run(1);
    network.run(0, 0);  // its network alone
  }
  REQUIRE_FALSE(outbox.is_congested());
  for (int i = 0; i < 3; ++i) network.run(0, 1);
  CHECK(task.is_told());
  network.run_until_idle();
}

}  // namespace kaon::testing::credits

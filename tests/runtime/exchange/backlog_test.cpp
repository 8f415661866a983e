// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/backlog.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::backlogs {

constexpr auto kCredits = LoopbackNetwork::Kind::control;

void take(Pe&, int) {}
void take_payload(Pe&, Payload<char>) {}
void take_argument(Pe&, std::vector<char>) {}

using Prioritized = MessageFunctions<int>;

void run_prioritized(Work& work, Pe& pe) {
  Prioritized::destroy(static_cast<Message&>(work), pe.pool());
  pe.count_done();
}

EntryRecord prioritized_record = Prioritized::record("kaon::testing::backlogs::prioritized", &run_prioritized);
const EntryRecord* const prioritized = enlist(prioritized_record);

void send_with_priority(Pe& pe, std::int32_t priority) {
  Message& message = Prioritized::make(pe.pool(), *prioritized, 1);
  message.priority = priority;
  pe.route(message, 1);
}

std::size_t count_pending(Network& network, LoopbackNetwork::Kind kind) {
  const auto& pending = network.wire().pending();
  return static_cast<std::size_t>(
      std::count_if(pending.begin(), pending.end(), [&](const auto& parcel) { return parcel.kind == kind; }));
}

// A batch that comes to PE 1 while so many pieces of work are ready there. One credit, which goes back at once or
// later.
struct Subject {
  explicit Subject(std::size_t ready) : works(ready) {
    for (Work& work : works) work.run = [](Work&, Pe&) {};
    network.on(0, [](Pe& pe) { RemoteProcedure<&take, Counting::counted>::send(pe, 1, 1); });
    network.run(0);
    network.on(1, [&](Pe& pe) {
      for (Work& work : works) pe.enqueue(work);
    });
    REQUIRE(network.wire().deliver_next());
    network.run(1, 1);  // one piece, and what has come
  }
  std::vector<Work> works;
  Network network{{2, 1}, with(&Options::credits, 1)};
};

TEST_CASE("a PE that has little to run gives a batch's credit back at once", "[runtime][backlog]") {
  Subject subject(10);
  CHECK(count_pending(subject.network, kCredits) == 1);
  subject.network.run_until_idle();
}

TEST_CASE("a PE that has much to run gives a batch's credit back when it has run what was ready",
          "[runtime][backlog]") {
  Subject subject(1000);
  CHECK(count_pending(subject.network, kCredits) == 0);
  subject.network.run(1, 900);
  CHECK(count_pending(subject.network, kCredits) == 0);
  subject.network.run(1);
  CHECK(count_pending(subject.network, kCredits) == 1);
  subject.network.run_until_idle();
}

TEST_CASE("a batch's credit comes back behind the message of it that runs last, also when others wait for payloads",
          "[runtime][backlog]") {
  const bool has_payload = GENERATE(false, true);
  const bool is_last = GENERATE(false, true);
  Network network({2, 1}, with(&Options::credits, 1));
  network.on(0, [&](Pe& pe) {
    if (!is_last) send_with_priority(pe, 5);
    if (has_payload)  // apart from the batch
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(20'000)));
    send_with_priority(pe, is_last ? 5 : 0);
  });
  network.run(0);
  std::array<std::vector<Work>, 2> works{std::vector<Work>(1000), std::vector<Work>(500)};
  network.on(1, [&](Pe& pe) {
    for (const std::int32_t priority : {0, 3})
      for (Work& work : works[priority > 0 ? 1 : 0]) {
        work.run = [](Work&, Pe&) {};
        work.priority = priority;
        pe.enqueue(work);
      }
  });
  REQUIRE(count_pending(network, LoopbackNetwork::Kind::data) == 1);
  while (network.wire().deliver_next()) {
  }
  network.run(1, 1);
  network.run(1, 1200);  // all that is not less urgent than others, and some of what is
  CHECK(count_pending(network, kCredits) == 0);
  network.run(1);
  CHECK(count_pending(network, kCredits) == 1);
  network.run_until_idle();
}

TEST_CASE("a batch that brings many bytes gives its credit back when they have been taken", "[runtime][backlog]") {
  const std::size_t bytes = GENERATE(std::size_t{1} << 20, std::size_t{5} << 20);
  const bool is_payload = GENERATE(true, false);
  Network network({2, 1}, with(&Options::credits, 1));
  network.on(0, [&](Pe& pe) {
    if (is_payload)
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(bytes)));
    else
      RemoteProcedure<&take_argument, Counting::counted>::send(pe, 1, std::vector<char>(bytes));
  });
  network.run(0);
  while (network.wire().deliver_next()) {
  }
  network.run(1, 1);  // its network has brought it, and nothing of it has run
  CHECK(count_pending(network, kCredits) == (bytes > (std::size_t{4} << 20) ? 0 : 1));
  network.run_all();
  CHECK(count_pending(network, kCredits) == 1);
  network.run_until_idle();
}

/// A batch for PE 1 that brings so much, and what PE 1 does when it comes and nothing of it has run.
void bring(Network& network, PeId from, std::size_t bytes) {
  network.on(from, [&](Pe& pe) {
    RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(bytes)));
  });
  network.run(from);
  while (network.wire().deliver_next()) {
  }
  network.run(1, 1);
}

TEST_CASE("bytes that have been taken are no reason to keep a credit, and those that have not are one",
          "[runtime][backlog]") {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  Network network({3, 1}, with(&Options::credits, 1));
  bring(network, 0, 5 * kMiB);
  network.run_until_idle();
  CHECK(network.pe(1).activities().empty());
  bring(network, 0, 3 * kMiB);
  CHECK(count_pending(network, kCredits) == 1);
  network.run_until_idle();
  for (const PeId from : {0u, 2u})
    network.on(from, [&](Pe& pe) {
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(3 * kMiB)));
    });
  for (const PeId from : {0u, 2u}) network.run(from);
  while (network.wire().deliver_next()) {
  }
  network.run(1, 1);
  CHECK(count_pending(network, kCredits) == 1);  // of the first; with the second there are too many
  network.run_until_idle();
}

TEST_CASE("a credit does not wait for ever for a message that runs last", "[runtime][backlog]") {
  Network network({2, 1}, with(&Options::credits, 1));
  network.on(0, [](Pe& pe) { send_with_priority(pe, 5); });
  network.run(0);
  std::vector<Work> works(1000);
  network.on(1, [&](Pe& pe) {
    for (Work& work : works) {
      work.run = [](Work&, Pe&) {};
      pe.enqueue(work);
    }
  });
  REQUIRE(network.wire().deliver_next());
  network.run(1, 1);
  CHECK(count_pending(network, kCredits) == 0);
  network.pass(std::chrono::seconds{1});
  network.run(1, 200);
  CHECK(count_pending(network, kCredits) == 1);
  network.run_until_idle();
}

TEST_CASE("a PE whose tasks wait for room elsewhere gives credits by and by", "[runtime][backlog]") {
  Network network({2, 1}, with(&Options::credits, 1));
  network.pe(1).overload().note_room_wait(1000);
  bring(network, 0, 1000);
  network.run_all();
  while (network.wire().deliver_next()) network.run_all();  // the first comes back
  bring(network, 0, 1000);
  network.run(1);
  CHECK(count_pending(network, kCredits) == 0);
  network.pass(std::chrono::seconds{1});
  network.run_all();
  CHECK(count_pending(network, kCredits) == 1);
  network.pe(1).overload().note_room_wait(-1000);
  network.run_until_idle();
}

TEST_CASE("a control message used no credit, and none is returned for it", "[runtime][backlog]") {
  Network network({2, 1}, with(&Options::credits, 1));  // so that any would be returned at once
  network.on(0, [](Pe& pe) { RemoteProcedure<&take>::send(pe, 1, 1); });
  network.run(0);
  REQUIRE(network.wire().deliver_next());
  network.run_all();
  CHECK(network.wire().pending().empty());
}

}  // namespace kaon::testing::backlogs

// SPDX-License-Identifier: Apache-2.0
// Receipts between the PEs of a process: how they bound what a neighbour has yet to take.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/backpressure.hpp"
#include "kaon/runtime/exchange/neighbours.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/testing/network.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::receipts {

constexpr int kReceipts = 8;              // that may be out
constexpr int kMessages = 256;            // of a receipt
constexpr std::size_t kBytes = 1u << 20;  // as well

std::vector<bool> lies_with_receiver;  // the messages that came

void take_payload(Pe&, Payload<char>) {}

using Plain = MessageFunctions<int>;

void run_plain(Work& work, Pe& pe) {
  auto& message = static_cast<Plain::Typed&>(work);
  lies_with_receiver.push_back(message.home == pe.pool().home());
  Plain::destroy(message, pe.pool());
  pe.count_done();
}

EntryRecord plain_record = Plain::record("kaon::testing::receipts::plain", &run_plain);
const EntryRecord* const plain = enlist(plain_record);

void send_plain(Pe& pe, int count, std::int32_t priority = 0) {
  for (int i = 0; i < count; ++i) {
    Message& message = Plain::make(pe.pool(), *plain, i);
    message.priority = priority;
    pe.route(message, 1);
  }
}

void send_megabytes(Pe& pe, int count) {
  for (int i = 0; i < count; ++i)
    RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(kBytes)));
}

// Two PEs of one process; options as for a program without any, so that messages stay what they are.
struct Subject {
  explicit Subject(std::size_t limit_mib = default_options().queue_limit_mib)
      : network({1, 2}, options_with(limit_mib)), sender(network.pe(0)), receiver(network.pe(1)) {
    network.run_all();  // so that all that is sent before the next turn goes together
    lies_with_receiver.clear();
  }
  static Options options_with(std::size_t limit_mib) {
    Options options = with(&Options::queue_limit_mib, limit_mib);
    options.serialize_always = false;
    return options;
  }
  template <class Action>
  void as_sender(Action action) {
    network.on(0, action);
    network.run(0);
  }
  /// Megabytes that can be sent until there is no room.
  int room() {
    int sent = 0;
    try {
      network.on(0, [&](Pe& pe) {
        for (; sent < 100; ++sent) send_megabytes(pe, 1);
      });
    } catch (const OutOfMemory&) {
    }
    return sent;
  }
  void pass() {
    network.pass(std::chrono::seconds{1});
    network.run_all();
  }
  Network network;
  Pe &sender, &receiver;
};

TEST_CASE("what a neighbour has yet to take counts against the limit once, and not when it is taken",
          "[runtime][neighbours]") {
  Subject subject(12);
  for (int round = 0; round < 3; ++round) {
    subject.as_sender([](Pe& pe) { send_megabytes(pe, 10); });
    subject.network.run_all();
  }
  const int sent = subject.room();
  CHECK(sent >= 11);
  CHECK(sent <= 12);
  subject.network.run_all();
}

TEST_CASE("a neighbour whose tasks wait for room elsewhere gives receipts by and by, and says that it holds some",
          "[runtime][neighbours]") {
  const bool is_many = GENERATE(false, true);  // messages, else bytes
  Subject subject;
  const std::uint64_t waits = subject.receiver.waits().outside();
  subject.receiver.overload().note_room_wait(1000);
  subject.as_sender([&](Pe& pe) {
    if (is_many)
      send_plain(pe, 2 * kReceipts * kMessages);
    else
      send_megabytes(pe, 2 * kReceipts);
  });
  subject.network.run_all();  // the first receipt comes home, and goes out again for what was sent meanwhile
  CHECK(subject.receiver.waits().outside() == waits + kReceipts);
  CHECK(subject.sender.backpressure().is_congested(1));
  subject.pass();
  CHECK(subject.receiver.waits().outside() == waits + kReceipts - 1);
  CHECK_FALSE(subject.sender.backpressure().is_congested(1));
  subject.receiver.overload().note_room_wait(-1000);
  subject.pass();
  CHECK(subject.receiver.waits().outside() == waits);
}

TEST_CASE("a receipt behind urgent messages comes home before a neighbour runs other work", "[runtime][neighbours]") {
  Subject subject;
  std::vector<Work> others(5000);
  subject.network.on(1, [&](Pe& pe) {
    for (Work& other : others) {
      other.run = [](Work&, Pe&) {};
      pe.enqueue(other);
    }
  });
  subject.as_sender([](Pe& pe) { send_plain(pe, kReceipts * kMessages, -5); });
  CHECK(subject.sender.backpressure().is_congested(1));
  subject.network.run(1, kReceipts * (kMessages + 2));  // bundles are work as well
  subject.network.run(0);
  CHECK_FALSE(subject.sender.backpressure().is_congested(1));
  subject.network.run_all();
}

TEST_CASE("few messages are handed over as they are, also after many that were not", "[runtime][neighbours]") {
  Subject subject;
  for (const int count : {2, 20, 2}) {
    subject.as_sender([count](Pe& pe) { send_plain(pe, count); });
    subject.network.run_all();
  }
  std::vector<bool> expected(24, false);
  for (std::size_t i = 2; i < 22; ++i) expected[i] = true;
  CHECK(lies_with_receiver == expected);
}

}  // namespace kaon::testing::receipts

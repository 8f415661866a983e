// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/neighbours.hpp"

#include <array>
#include <coroutine>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/waits/room.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/backpressure.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::neighbours {

std::vector<int> taken;
bool is_of_receiver = true;  // the memory of messages
bool are_whole = true;

void take(Pe&, int number) { taken.push_back(number); }
void take_text(Pe&, std::string text) { taken.push_back(std::stoi(text)); }
void take_wide(Pe&, std::array<int, 40> numbers) { taken.push_back(numbers[0] + numbers[39]); }
void take_widest(Pe&, std::array<int, 50> numbers) {
  for (const int number : numbers) are_whole = are_whole && number == numbers[0];
  taken.push_back(numbers[0]);
}
void take_payload(Pe&, Payload<char>) {}
void take_payloads(Pe&, std::vector<Payload<char>>) {}

using Plain = MessageFunctions<int>;

void run_plain(Work& work, Pe& pe) {
  auto& message = static_cast<Plain::Typed&>(work);
  is_of_receiver = is_of_receiver && message.home == pe.pool().home();
  taken.push_back(std::get<0>(message.arguments));
  Plain::destroy(message, pe.pool());
  pe.count_done();
}

EntryRecord plain_record = Plain::record("kaon::testing::neighbours::plain", &run_plain);
const EntryRecord* const plain = enlist(plain_record);

std::vector<int> up_to(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

// Work that PE 1 makes room for; its options as for a program without any, so that messages stay what they are.
struct Subject {
  Subject() {
    taken.clear();
    network.run_all();  // so that all that is sent before the next turn goes together
  }
  explicit Subject(const Options& options) : network({1, 2}, options) { network.run_all(); }
  static Options options() {
    Options options = default_options();
    options.serialize_always = false;
    return options;
  }
  template <class Action>
  void as_sender(Action action) {
    network.on(0, action);
    network.run(0);
  }
  Network network{{1, 2}, options()};
};

TEST_CASE("messages to a neighbour keep their order, in bundles and beside them", "[runtime][neighbours]") {
  Subject subject;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 30; ++i) {
      if (i % 7 == 6)
        RemoteProcedure<&take_text, Counting::counted>::send(pe, 1, std::to_string(i));
      else
        RemoteProcedure<&take, Counting::counted>::send(pe, 1, i);
    }
  });
  subject.network.run_all();
  CHECK(taken == up_to(30));
}

TEST_CASE("more messages than fit a bundle arrive as they were", "[runtime][neighbours]") {
  Subject subject;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 200; ++i) {
      std::array<int, 40> numbers{};
      numbers[39] = i;
      RemoteProcedure<&take_wide, Counting::counted>::send(pe, 1, numbers);
    }
  });
  subject.network.run_all();
  CHECK(taken == up_to(200));
}

TEST_CASE("messages of the largest size that bundles take fill none beyond its end", "[runtime][neighbours]") {
  Subject subject;
  are_whole = true;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 200; ++i) {
      std::array<int, 50> numbers{};
      numbers.fill(i);
      RemoteProcedure<&take_widest, Counting::counted>::send(pe, 1, numbers);
    }
  });
  subject.network.run_all();
  CHECK(taken == up_to(200));
  CHECK(are_whole);
}

TEST_CASE("what came in a bundle lies in memory of the receiver's", "[runtime][neighbours]") {
  Subject subject;
  is_of_receiver = true;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 20; ++i) pe.route(Plain::make(pe.pool(), *plain, i), 1);
  });
  subject.network.run_all();
  CHECK(taken == up_to(20));
  CHECK(is_of_receiver);
}

TEST_CASE("a neighbour that has not taken some megabytes of payloads is congested", "[runtime][neighbours]") {
  Subject subject;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 8; ++i)
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(1 << 20)));
    CHECK(pe.backpressure().is_congested(1));
  });
  subject.network.run_all();
  CHECK_FALSE(subject.network.pe(0).backpressure().is_congested(1));
}

TEST_CASE("payloads weigh what they hold, however deep they lie in the arguments", "[runtime][neighbours]") {
  Subject subject;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 8; ++i) {
      std::vector<Payload<char>> payloads(3);
      payloads[1] = Payload<char>(std::vector<char>(1 << 20));
      RemoteProcedure<&take_payloads, Counting::counted>::send(pe, 1, std::move(payloads));
    }
    CHECK(pe.backpressure().is_congested(1));
  });
  subject.network.run_all();
  CHECK_FALSE(subject.network.pe(0).backpressure().is_congested(1));
}

TEST_CASE("a neighbour is congested until it has run what it was sent, whatever the priority",
          "[runtime][neighbours]") {
  Subject subject;
  subject.as_sender([](Pe& pe) {
    for (int i = 0; i < 8 * 256; ++i) {
      auto& message = Plain::make(pe.pool(), *plain, i);
      message.priority = 5;
      pe.route(message, 1);
    }
    CHECK(pe.backpressure().is_congested(1));
  });
  subject.network.run(1, 100);  // the first receipt stands for more
  subject.network.run(0);
  CHECK(subject.network.pe(0).backpressure().is_congested(1));
  subject.network.run_all();
  CHECK_FALSE(subject.network.pe(0).backpressure().is_congested(1));
}

TEST_CASE("who waits for room at a neighbour is told when it has taken some", "[runtime][neighbours]") {
  Subject subject;
  bool is_told = false;
  const auto wait_for_room = [](bool& told) -> Task<> {
    co_await Awaitable<RoomWait>(this_pe(), 1);
    told = true;
  };
  Work at_end;
  at_end.run = [](Work&, Pe&) {};
  std::coroutine_handle<Task<>::promise_type> task;
  subject.as_sender([&](Pe& pe) {
    for (int i = 0; i < 8; ++i)
      RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(1 << 20)));
    task = wait_for_room(is_told).release();
    task.promise().start(task, at_end, nullptr);
  });
  CHECK_FALSE(is_told);
  subject.network.run_all();
  CHECK(is_told);
  subject.network.on(0, [&](Pe&) { task.destroy(); });
}

TEST_CASE("a sender that holds too much for a neighbour is told what to change", "[runtime][neighbours]") {
  Options options = Subject::options();
  options.queue_limit_mib = 4;
  Subject subject(options);
  std::string text;
  try {
    subject.network.on(0, [](Pe& pe) {
      for (int i = 0; i < 100; ++i)
        RemoteProcedure<&take_payload, Counting::counted>::send(pe, 1, Payload<char>(std::vector<char>(1 << 20)));
    });
  } catch (const OutOfMemory& error) {
    text = error.what();
  }
  for (const char* part : {"PE 1", "PE 0", "--queue-limit-mib"}) CHECK(text.find(part) != text.npos);
}

}  // namespace kaon::testing::neighbours

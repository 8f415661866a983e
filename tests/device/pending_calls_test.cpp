// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/pending_calls.hpp"

#include <coroutine>
#include <vector>

#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::pending_calls {

using Words = std::vector<std::uint32_t>;
using TaskHandle = std::coroutine_handle<Task<>::promise_type>;

std::vector<std::uint32_t> tickets;
std::vector<std::uint32_t> taken;

/// A call that the test answers.
class TestCall {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = true;
  TestCall(gpu::PendingCalls& calls, std::uint32_t parts) : calls_(calls), parts_(parts) {}
  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    call_.waiter = &waiter;
    ticket_ = calls_.add(call_, parts_);
    tickets.push_back(ticket_);
    return false;
  }
  void give_up(Waiter&) noexcept { calls_.forget(ticket_, call_); }
  std::uint32_t take() const { return call_.values[0]; }
  std::string describe() const { return "for the test"; }

 private:
  gpu::PendingCalls& calls_;
  std::uint32_t parts_;
  gpu::PendingCall call_;
  std::uint32_t ticket_ = 0;
};

Task<> await_call(gpu::PendingCalls& calls, std::uint32_t parts) {
  const std::uint32_t value = co_await Awaitable<TestCall>(calls, parts);
  taken.push_back(value);
}

/// Calls of one PE, whose tasks the test destroys.
class Subject {
 public:
  explicit Subject() {
    at_end_.run = [](Work&, Pe&) {};
    tickets.clear();
    taken.clear();
  }
  TaskHandle call(std::uint32_t parts = 1) {
    const TaskHandle task = await_call(calls, parts).release();
    task.promise().start(task, at_end_, nullptr);
    return task;
  }
  void answer(std::uint32_t ticket, std::uint32_t value) {
    Words words(gpu::notice::kMostValues);
    words[0] = value;
    calls.answer(ticket, words.data());
  }
  gpu::PendingCalls calls;

 private:
  Work at_end_;
};

}  // namespace kaon::testing::pending_calls

namespace kaon::testing {

using pending_calls::Subject;
using pending_calls::taken;
using pending_calls::TaskHandle;
using pending_calls::tickets;

TEST_CASE("who gives up a call that was answered leaves the ticket to its next user", "[device][resident]") {
  Network network({1, 1});
  Subject subject;
  network.on(0, [&](Pe& pe) {
    const TaskHandle first = subject.call();
    subject.answer(tickets[0], 10);  // its task has not run yet
    const TaskHandle second = subject.call();
    REQUIRE(tickets[1] == tickets[0]);
    first.destroy();
    subject.answer(tickets[1], 20);
    pe.run_some(10);
    CHECK(taken == std::vector<std::uint32_t>{20});
    second.destroy();
  });
}

TEST_CASE("who gives up a call gets no answer, and its ticket is free when that has come", "[device][resident]") {
  Network network({1, 1});
  Subject subject;
  network.on(0, [&](Pe& pe) {
    subject.call().destroy();
    const TaskHandle second = subject.call();
    CHECK(tickets[1] != tickets[0]);
    subject.answer(tickets[0], 10);
    const TaskHandle third = subject.call();
    CHECK(tickets[2] == tickets[0]);
    subject.answer(tickets[2], 30);
    subject.answer(tickets[1], 20);
    pe.run_some(10);
    CHECK(taken == std::vector<std::uint32_t>{30, 20});
    second.destroy();
    third.destroy();
  });
}

TEST_CASE("a call to a gang is answered by its last part, with what the first returns", "[device][resident]") {
  Network network({1, 1});
  Subject subject;
  network.on(0, [&](Pe& pe) {
    const TaskHandle call = subject.call(3);
    subject.calls.answer(tickets[0], nullptr);
    subject.answer(tickets[0], 7);
    pe.run_some(10);
    CHECK(taken.empty());
    subject.calls.answer(tickets[0], nullptr);
    pe.run_some(10);
    CHECK(taken == std::vector<std::uint32_t>{7});
    CHECK_FALSE(subject.calls.has(0));  // nobody waits
    CHECK(subject.calls.has(tickets[0]));
    CHECK_FALSE(subject.calls.has(tickets[0] + 1));
    call.destroy();
  });
}

}  // namespace kaon::testing

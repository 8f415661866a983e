// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waiter.hpp"

#include <coroutine>
#include <string>
#include <vector>

#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::waiters {

std::vector<Waiter*> waiting;
std::vector<int> resumed;

/// Waits until the test says so.
struct TestWait {
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    waiting.push_back(&waiter);
    return false;
  }
  void give_up(Waiter&) noexcept {}
  void take() const noexcept {}
  std::string describe() const { return "for the test"; }
};

Task<> wait(int name) {
  co_await Awaitable<TestWait>();
  resumed.push_back(name);
}

TEST_CASE("who is told several times is resumed once, in the order of the first telling", "[runtime][waiter]") {
  Network network({1, 1});
  Work at_end;
  at_end.run = [](Work&, Pe&) {};
  waiting.clear();
  resumed.clear();
  std::vector<std::coroutine_handle<Task<>::promise_type>> tasks;
  network.on(0, [&](Pe& pe) {
    for (int name = 0; name < 3; ++name) {
      tasks.push_back(wait(name).release());
      tasks.back().promise().start(tasks.back(), at_end, nullptr);
    }
    for (const std::size_t told : {2u, 0u, 2u, 2u, 0u}) waiting[told]->resume_soon();
    CHECK(resumed.empty());  // not inside of who tells
    pe.run_some(10);
    CHECK(resumed == std::vector<int>{2, 0});
    CHECK(pe.waits().waiting().oldest() == waiting[1]);
    CHECK(pe.waits().due().empty());
    for (auto task : tasks) task.destroy();
    CHECK(pe.waits().waiting().empty());
  });
}

}  // namespace kaon::testing::waiters

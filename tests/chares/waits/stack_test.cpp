// SPDX-License-Identifier: Apache-2.0
// A program with a stack of its own, such as an MPI rank, waits by what tasks await: nothing of the runtime knows of
// it.
#include <boost/context/fiber.hpp>
#include <coroutine>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitizers.hpp"

namespace kaon::testing::stacks {

/// Sanitizers would have to be told of each change of stacks.
constexpr bool kIsSanitized = kHasAddressSanitizer || kHasThreadSanitizer;

/// Ordinary code on a stack of its own, inside a task: what it waits for suspends the task.
class Strand {
 public:
  using Body = std::function<void(Strand&)>;

  explicit Strand(Body body) : body_(std::move(body)) {}

  /// Runs the body to its end, and throws what that throws.
  Task<> run() {
    task_ = co_await ThisTask{};
    fiber_ = boost::context::fiber([this](boost::context::fiber&& task) { return run_body(std::move(task)); });
    while (fiber_ = std::move(fiber_).resume(), fiber_) co_await std::suspend_always{};
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  /// In the body: as `co_await` in a task.
  template <class Operation>
  decltype(auto) wait(Awaitable<Operation> awaited) {
    if (!awaited.await_ready() && awaited.await_suspend(task_)) outside_ = std::move(outside_).resume();
    return awaited.await_resume();
  }

 private:
  using Handle = std::coroutine_handle<Task<>::promise_type>;
  struct ThisTask {
    Handle task;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(Handle handle) noexcept {
      task = handle;
      return false;
    }
    Handle await_resume() const noexcept { return task; }
  };

  boost::context::fiber run_body(boost::context::fiber&& outside) {
    outside_ = std::move(outside);
    try {
      body_(*this);
    } catch (const boost::context::detail::forced_unwind&) {
      throw;  // its task has ended first
    } catch (...) {
      error_ = std::current_exception();
    }
    return std::move(outside_);
  }

  Body body_;
  Handle task_;
  boost::context::fiber fiber_, outside_;
  std::exception_ptr error_;
};

int unwound = 0;
struct Unwinding {
  ~Unwinding() { ++unwound; }
};

class Rank : public Chare<Rank> {
 public:
  Inbox<int> numbers;

  /// Adds up what comes, deep in ordinary calls, and passes each number on.
  Task<int> add(int count) {
    int total = 0;
    Strand strand([&](Strand& self) { total = add_here(self, count); });
    co_await strand.run();
    co_return total;
  }
  Task<int> fail() {
    Strand strand([&](Strand& self) {
      self.wait(numbers.next());
      throw std::domain_error("the rank fails");
    });
    co_await strand.run();
    co_return 0;
  }
  Task<> wait_for_ever() {
    Strand strand([&](Strand& self) {
      const Unwinding here;
      self.wait(numbers.next());
    });
    co_await strand.run();
  }
  void end() { destroy(); }

 private:
  int add_here(Strand& strand, int left) {
    if (left == 0) return 0;
    const int number = strand.wait(numbers.next());
    strand.wait(this_runtime().sleep_for(std::chrono::microseconds(1)));
    const int ranks = array().shape().x;
    if (index().x + 1 < ranks) array()[index().x + 1].send<&Rank::numbers>(number + 1);
    return number + add_here(strand, left - 1);
  }
};

Proxy<Rank> ranks;

TEST_CASE("code on a stack of its own waits for an inbox and for time as tasks do", "[chares][stacks]") {
  if (kIsSanitized) return;
  Scene scene({2, 2});
  scene.run([](Runtime& runtime) -> Task<> {
    auto ranks = co_await runtime.create<Rank>(4);
    for (int i = 1; i <= 10; ++i) ranks[0].send<&Rank::numbers>(i);
    const int total = co_await ranks.call_all<&Rank::add>(sum, 10);
    CHECK(total == 4 * 55 + 10 * (1 + 2 + 3));
  });
}

TEST_CASE("what is thrown on such a stack reaches who awaits the entry", "[chares][stacks]") {
  if (kIsSanitized) return;
  Scene scene({2, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    ranks = co_await runtime.create<Rank>(2);
    ranks[1].send<&Rank::numbers>(1);
  });
  CHECK_THROWS_WITH(scene.run([](Runtime&) -> Task<> { co_await ranks[1].call<&Rank::fail>(); }),
                    contains_text("the rank fails"));
}

TEST_CASE("such a stack that waits is said and unwound as a task is", "[chares][stacks]") {
  if (kIsSanitized) return;
  unwound = 0;
  Scene scene({1, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    ranks = co_await runtime.create<Rank>(1);
    ranks[0].send<&Rank::wait_for_ever>();
  });
  scene.network().run_until_idle();
  CHECK_THAT(scene.waits(), contains_text("wait_for_ever") && contains_text("for a message"));
  scene.run([](Runtime&) -> Task<> {
    ranks[0].send<&Rank::end>();
    co_return;
  });
  scene.network().run_until_idle();
  CHECK(unwound == 1);
}

}  // namespace kaon::testing::stacks

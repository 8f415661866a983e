// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/task.hpp"

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

// Counts the objects alive in frames.
struct Alive {
  explicit Alive(int& count) : count_(&count) { ++*count_; }
  Alive(const Alive& other) : Alive(*other.count_) {}
  Alive& operator=(const Alive&) = delete;
  ~Alive() { --*count_; }

 private:
  int* count_;
};

// Where tasks wait until the test resumes them.
struct Door {
  std::deque<std::coroutine_handle<>> waiting;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> frame) { waiting.push_back(frame); }
  void await_resume() {}
  void open_once() {
    const auto frame = waiting.front();
    waiting.pop_front();
    frame.resume();
  }
};

// A root that keeps how its task ended.
template <class T>
struct Root : Work {
  std::coroutine_handle<Promise<T>> task;
  bool has_ended = false;
  std::exception_ptr error;

  explicit Root(Task<T> started) : task(started.release()) {
    run = [](Work& self, Pe&) {
      auto& root = static_cast<Root&>(self);
      root.has_ended = true;
      root.error = root.task.promise().error();
      std::exchange(root.task, {}).destroy();
    };
    task.promise().start(task, *this, nullptr);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  ~Root() {
    if (task) task.destroy();
  }
};

Task<int> number(int value) { co_return value; }

Task<> sum_up(int count, long& sum) {
  for (int i = 0; i < count; ++i) sum += co_await number(1);
}

Task<int> behind(Door& door, int value, int& alive) {
  const Alive object(alive);
  co_await door;
  co_return value;
}

Task<> sum_behind(Door& door, int count, long& sum, int& alive) {
  for (int i = 0; i < count; ++i) sum += co_await behind(door, i, alive);
}

Task<int> nested(Door& door, int depth, int& alive) {
  const Alive object(alive);
  if (depth == 0) {
    co_await door;
    co_return 0;
  }
  const int below = co_await nested(door, depth - 1, alive);
  co_return below + 1;
}

Task<> keep(Task<int> task, long& result) { result = co_await task; }

Task<> fail_behind(Door& door, int& alive) {
  const Alive object(alive);
  co_await door;
  throw std::runtime_error("failed behind the door");
}

Task<> fail_at_once(int& alive) {
  const Alive object(alive);
  throw std::runtime_error("failed at once");
  co_return;
}

Task<> catch_one(Task<> task, std::string& text) {
  try {
    co_await task;
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
}

Task<int> forgets(Door& door, bool has_value) {
  if (has_value) co_return 7;
  co_await door;
}
constexpr int kEndOfForgets = __LINE__ - 1;

Task<> tell_what_is_missing(Door& door, bool has_value, std::string& text) {
  try {
    text = std::to_string(co_await forgets(door, has_value));
  } catch (const kaon::runtime::UsageError& error) {
    text = error.what();
  }
}

Task<std::string> long_text(Door& door) {
  co_await door;
  co_return std::string(1000, 'x');
}

Task<> take_text(Door& door, std::string& text) { text = co_await long_text(door); }

Task<std::unique_ptr<int>> moved_only() { co_return std::make_unique<int>(5); }
Task<> take_moved(long& result) { result = *co_await moved_only(); }

// The frame of the coroutine holds `function`, which therefore outlives the tasks that it returns.
template <class F>
Task<int> add_two(F function) {
  const int first = co_await function();
  const int second = co_await function();
  co_return first + second;
}

Task<> await_lambdas(Door& door, int value, long& result, int& alive) {
  const auto named = [&door, &alive, value]() -> Task<int> {
    const int behind_door = co_await behind(door, value, alive);
    co_return behind_door;
  };
  const int of_named = co_await named();
  const int of_temporary = co_await [&]() -> Task<int> {
    const int behind_door = co_await behind(door, 10 * value, alive);
    co_return behind_door;
  }();
  const int of_parameter = co_await add_two([&, value] { return behind(door, 100 * value, alive); });
  result = of_named + of_temporary + of_parameter;
}

// Frames come from a PE's pool, so each case runs on one.
class OnPe {
 public:
  OnPe() : network_({1, 1}), current_(network_.pe(0)) {}

 private:
  Network network_;
  CurrentPe current_;
};

}  // namespace

TEST_CASE_METHOD(OnPe, "a million finished awaits need no more stack than one", "[runtime][task]") {
  long sum = 0;
  const Root<void> root(sum_up(1'000'000, sum));
  CHECK(root.has_ended);
  CHECK(sum == 1'000'000);
}

TEST_CASE_METHOD(OnPe, "a loop of awaits that each wait ends when the last was resumed", "[runtime][task]") {
  Door door;
  long sum = 0;
  int alive = 0;
  const Root<void> root(sum_behind(door, 100'000, sum, alive));
  for (int i = 0; i < 100'000; ++i) {
    REQUIRE_FALSE(root.has_ended);
    REQUIRE(alive == 1);
    door.open_once();
  }
  CHECK(root.has_ended);
  CHECK(sum == 100'000L * 99'999 / 2);
  CHECK(alive == 0);
}

TEST_CASE_METHOD(OnPe, "tasks await each other a thousand deep", "[runtime][task]") {
  Door door;
  long result = -1;
  int alive = 0;
  const Root<void> root(keep(nested(door, 1000, alive), result));
  CHECK(alive == 1001);
  CHECK_FALSE(root.has_ended);
  door.open_once();
  CHECK(root.has_ended);
  CHECK(result == 1000);
  CHECK(alive == 0);
}

TEST_CASE_METHOD(OnPe, "an exception reaches the awaiter", "[runtime][task]") {
  Door door;
  int alive = 0;
  std::string text;
  SECTION("from a task that had waited") {
    const Root<void> root(catch_one(fail_behind(door, alive), text));
    CHECK(alive == 1);
    door.open_once();
    CHECK(root.has_ended);
    CHECK_FALSE(root.error);
    CHECK(text == "failed behind the door");
  }
  SECTION("from a task that had not") {
    const Root<void> root(catch_one(fail_at_once(alive), text));
    CHECK(root.has_ended);
    CHECK(text == "failed at once");
  }
  CHECK(alive == 0);
}

TEST_CASE_METHOD(OnPe, "an exception that nobody awaits is left with the root", "[runtime][task]") {
  int alive = 0;
  const Root<void> root(fail_at_once(alive));
  CHECK(root.has_ended);
  CHECK_THROWS_AS(std::rethrow_exception(root.error), std::runtime_error);
  CHECK(alive == 0);
}

TEST_CASE_METHOD(OnPe, "a task that was never awaited frees its frame", "[runtime][task]") {
  int alive = 0;
  Door door;
  { const Task<int> unused = behind(door, 1, alive); }
  CHECK(alive == 0);
  CHECK(door.waiting.empty());
}

TEST_CASE_METHOD(OnPe, "destroying a suspended root frees all frames below it", "[runtime][task]") {
  Door door;
  long result = -1;
  int alive = 0;
  {
    const Root<void> root(keep(nested(door, 10, alive), result));
    CHECK(alive == 11);
  }
  CHECK(alive == 0);
  CHECK(result == -1);
}

TEST_CASE_METHOD(OnPe, "results are moved out, whatever owns memory", "[runtime][task]") {
  Door door;
  std::string text;
  long result = 0;
  const Root<void> waits(take_text(door, text));
  door.open_once();
  CHECK(text == std::string(1000, 'x'));
  const Root<void> root(take_moved(result));
  CHECK(result == 5);
}

TEST_CASE_METHOD(OnPe, "lambdas that capture may be coroutines and parameters of coroutines", "[runtime][task]") {
  Door door;
  long result = 0;
  int alive = 0;
  const Root<void> root(await_lambdas(door, 3, result, alive));
  while (!door.waiting.empty()) door.open_once();
  CHECK(root.has_ended);
  CHECK(result == 3 + 30 + 600);
  CHECK(alive == 0);
}

TEST_CASE_METHOD(OnPe, "a task that forgets its result is named by its place", "[runtime][task]") {
  Door door;
  std::string text;
  const Root<void> right(tell_what_is_missing(door, true, text));
  CHECK(text == "7");
  const Root<void> wrong(tell_what_is_missing(door, false, text));
  door.open_once();
  CAPTURE(text);
  const auto names = [&text](int line) {
    return text.find("task_test.cpp:" + std::to_string(line) + " ended without its result") != std::string::npos;
  };
  CHECK((names(kEndOfForgets) || names(kEndOfForgets - 3)));  // compilers name the last line or the first
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/all_any.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::branching {

std::vector<std::string> ended;
struct Traced {
  std::string name;
  ~Traced() { ended.push_back(name); }
};

Task<int> now(int value) { co_return value; }
Task<int> later(std::int64_t microseconds, int value) {
  co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds));
  co_return value;
}
Task<> pause(std::int64_t microseconds) { co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds)); }
Task<std::unique_ptr<int>> make(int value) {
  co_await this_runtime().sleep_for(std::chrono::microseconds(1));
  co_return std::make_unique<int>(value);
}
Task<int> fail(std::int64_t microseconds, std::string text) {
  if (microseconds > 0) co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds));
  throw std::runtime_error(text);
}
Task<int> traced(std::string name, std::int64_t microseconds) {
  const Traced trace{std::move(name)};
  co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds));
  co_return 1;
}

class Source : public Chare<Source> {
 public:
  Inbox<int> numbers;
  int index_x() const { return index().x; }
  void take(const Payload<int>&) {}
  Task<int> sum_of_two() {
    const auto [a, b] = co_await all(numbers.next(), numbers.next());
    co_return a + b;
  }
  Task<int> with_time_limit(std::int64_t microseconds) {
    auto first = co_await any(numbers.next(), this_runtime().sleep_for(std::chrono::microseconds(microseconds)));
    co_return first.index() == 0 ? std::get<0>(first) : -1;
  }
};

/// The tasks that were given are temporaries, gone by the time of the await.
Task<> awaited_later(Runtime&) {
  auto both = all(later(10, 1), traced("first", 5));
  auto one = any(later(10'000'000, 1), later(1, 2));
  const auto [a, b] = co_await std::move(both);
  CHECK(a + b == 2);
  const auto first = co_await std::move(one);
  CHECK(first.index() == 1);
  ended.clear();
}

Task<> all_values(Runtime&) {
  const auto [a, b, c] = co_await all(now(1), later(20, 2), pause(10));
  CHECK(a == 1);
  CHECK(b == 2);
  static_assert(std::is_same_v<decltype(c), const Nothing>);
  auto [moved, none] = co_await all(make(7), pause(0));
  CHECK(*moved == 7);
  (void)none;
  Task<int> named = later(5, 9);
  const auto [from_named] = co_await all(named);
  CHECK(from_named == 9);
  const auto nested = co_await all(all(now(1), now(2)), all(later(3, 3)));
  CHECK(std::get<1>(std::get<0>(nested)) == 2);
  CHECK(std::get<0>(std::get<1>(nested)) == 3);
}

Task<> all_of_a_vector(Runtime&) {
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(i % 3 == 0 ? now(i) : later(100 - i, i));
  const std::vector<int> values = co_await all(std::move(tasks));
  REQUIRE(values.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(values[static_cast<std::size_t>(i)] == i);
  const auto none = co_await all(std::vector<Task<int>>{});
  CHECK(none.empty());
}

Task<> any_value(Runtime&) {
  const auto fast = co_await any(later(1'000'000'000, 1), later(10, 2), now(3));
  CHECK(fast.index() == 2);
  CHECK(std::get<2>(fast) == 3);
  const auto slow = co_await any(later(1'000'000'000, 1), later(10, 2));
  CHECK(slow.index() == 1);
  CHECK(std::get<1>(slow) == 2);
}

Task<> losers_end(Runtime&) {
  ended.clear();
  const auto first = co_await any(traced("loser", 1'000'000'000), traced("winner", 10));
  CHECK(first.index() == 1);
  CHECK(ended == std::vector<std::string>{"winner", "loser"});
}

Task<> exceptions(Runtime&) {
  std::string text;
  try {
    ended.clear();
    co_await all(traced("beside", 50), fail(1, "one of all"));
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  CHECK(text == "one of all");
  CHECK(ended == std::vector<std::string>{"beside"});  // it was waited for
  try {
    co_await any(later(1'000'000'000, 1), fail(0, "first of any"));
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  CHECK(text == "first of any");
  const auto first = co_await any(now(4), fail(0, "too late"));
  CHECK(first.index() == 0);
}

Task<> awaitables(Runtime& runtime) {
  const auto sources = co_await runtime.create<Source>(4);
  const auto [two, three, none] = co_await all(sources[2].call<&Source::index_x>(), sources[3].call<&Source::index_x>(),
                                               runtime.sleep_for(std::chrono::microseconds(5)));
  (void)none;
  CHECK(two == 2);
  CHECK(three == 3);
  auto sum = sources[1].call<&Source::sum_of_two>();
  for (const int number : {40, 2}) sources[1].send<&Source::numbers>(number);
  const int both = co_await sum;
  CHECK(both == 42);
  const int too_late = co_await sources[0].call<&Source::with_time_limit>(20);
  CHECK(too_late == -1);
  sources[0].send<&Source::numbers>(8);
  co_await runtime.quiescence();
  const int in_time = co_await sources[0].call<&Source::with_time_limit>(1'000'000'000);
  CHECK(in_time == 8);
}

/// Tasks that have names belong to any() as others do: what it gives up ends, and wakes nobody later.
Task<> given_up_tasks(Runtime& runtime) {
  using std::chrono::microseconds;
  ended.clear();
  Task<int> alone = traced("alone", 100), one = traced("one", 100), other = traced("other", 100);
  const auto first = co_await any(alone, runtime.sleep_for(microseconds(5)));
  const auto second = co_await any(all(one, other), runtime.sleep_for(microseconds(5)));
  CHECK(first.index() == 1);
  CHECK(second.index() == 1);
  CHECK(ended.size() == 3);
  co_await runtime.sleep_for(microseconds(1000));  // beyond what they waited for
  std::string text;
  try {
    (void)co_await alone;
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(text.find("given to all() or any()") != std::string::npos);
}

/// A call that a time limit has given up, and whose answer comes while the caller still has it.
Task<> given_up_by_name(Runtime& runtime) {
  const auto sources = co_await runtime.create<Source>(2);
  auto sum = sources[1].call<&Source::sum_of_two>();
  const auto first = co_await any(sum, runtime.sleep_for(std::chrono::microseconds(50)));
  CHECK(first.index() == 1);
  for (const int number : {40, 2}) sources[1].send<&Source::numbers>(number);
  co_await runtime.quiescence();
}

/// Sent makes its awaiter when it is awaited.
Task<> until_sent(Runtime& runtime) {
  const auto sources = co_await runtime.create<Source>(2);
  Payload<int> payload(std::vector<int>(1000));
  Sent sent(payload);
  sources[1].send<&Source::take>(std::move(payload));
  const auto first = co_await any(sent, runtime.sleep_for(std::chrono::hours(1)));
  CHECK(first.index() == 0);
}

TEST_CASE("all gives the results of all tasks", "[chares][all_any]") { Scene({1, 1}).run(all_values); }
TEST_CASE("all takes any number of tasks of one type", "[chares][all_any]") { Scene({1, 1}).run(all_of_a_vector); }
TEST_CASE("all and any of tasks may be awaited later", "[chares][all_any]") { Scene({1, 1}).run(awaited_later); }
TEST_CASE("any gives the first result", "[chares][all_any]") { Scene({1, 1}).run(any_value); }
TEST_CASE("what any gives up ends at once", "[chares][all_any]") { Scene({1, 1}).run(losers_end); }
TEST_CASE("what any gives up ends also where it has a name", "[chares][all_any]") { run_everywhere(given_up_tasks); }
TEST_CASE("what any has given up may answer while its caller has it", "[chares][all_any]") {
  run_everywhere(given_up_by_name);
}
TEST_CASE("any takes what is sent beside a time limit", "[chares][all_any]") { Scene({2, 1}).run(until_sent); }
TEST_CASE("all and any hand exceptions on", "[chares][all_any]") { Scene({1, 1}).run(exceptions); }
TEST_CASE("all and any await calls, inboxes and timers", "[chares][all_any]") { run_everywhere(awaitables); }

}  // namespace kaon::testing::branching

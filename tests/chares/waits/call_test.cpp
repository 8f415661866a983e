// SPDX-License-Identifier: Apache-2.0
// Calls: one element's result, or all elements' combined; and what happens to exceptions.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::calls {

/// A user's own operation: keeps the words in order.
struct Merge {
  std::vector<int> operator()(std::vector<int> a, const std::vector<int>& b) const {
    std::vector<int> both(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
    return both;
  }
};

struct Bad : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A user's own operation that cannot.
struct Refuse {
  int operator()(int, int) const { throw Bad("no sum"); }
};

/// A result that cannot be packed.
struct Stubborn {
  template <class Archive>
  void pup(Archive&) {
    if constexpr (Archive::is_saving) throw Bad("it stays here");
  }
};
struct KeepFirstOf {
  Stubborn operator()(Stubborn first, const Stubborn&) const { return first; }
};

class Worker : public Chare<Worker> {
 public:
  int cube() const noexcept { return index().x * index().x * index().x; }
  int square() const { return index().x * index().x; }
  Task<int> slow_square(std::int64_t microseconds) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(microseconds * (index().x % 3)));
    co_return index().x* index().x;
  }
  std::vector<int> name() { return {index().x}; }
  std::array<double, 3> three() { return {1.0 * index().x, 1, -1.0 * index().x}; }
  Task<std::string> echo(std::string text) { co_return text + "!"; }
  void touch(int by) { touched += by; }
  Task<> touch_later(int by) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(50));
    touched += by;
  }
  int look() { return touched; }
  /// Goes down a chain of calls and comes back with its length.
  Task<int> deep(int left) {
    if (left == 0) co_return 0;
    const int below = co_await array()[(index().x + 1) % array().shape().x].call<&Worker::deep>(left - 1);
    co_return below + 1;
  }
  void fail(int) { throw Bad("plain"); }
  Task<> fail_at_once() {
    throw Bad("at once");
    co_return;
  }
  Task<int> fail_later() {
    co_await this_runtime().sleep_for(std::chrono::microseconds(10));
    throw Bad("later");
  }
  Stubborn stubborn() { return {}; }
  Task<Stubborn> stubborn_at_once() { co_return Stubborn(); }
  Task<Stubborn> stubborn_later() {
    co_await this_runtime().sleep_for(std::chrono::microseconds(10));
    co_return Stubborn();
  }
  Task<std::string> catches() {
    try {
      co_await throws();
    } catch (const Bad& bad) {
      co_return std::string("caught ") + bad.what();
    }
    co_return "nothing";
  }

 private:
  Task<> throws() {
    co_await this_runtime().sleep_for(std::chrono::microseconds(10));
    throw Bad("inner");
  }
  int touched = 0;
};

int sum_of_squares(int count) { return static_cast<int>((count - 1LL) * count * (2LL * count - 1) / 6); }

Task<> call_each(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(10);
  for (int i = 0; i < 10; ++i) {
    const int plain = co_await workers[i].call<&Worker::square>();
    const int cube = co_await workers[i].call<&Worker::cube>();
    const int slow = co_await workers[i].call<&Worker::slow_square>(20);
    const std::string text = co_await workers[i].call<&Worker::echo>(std::string(3, 'a'));
    CHECK(plain == i * i);
    CHECK(cube == i * i * i);
    CHECK(slow == i * i);
    CHECK(text == "aaa!");
    co_await workers[i].call<&Worker::touch>(i);
    co_await workers[i].call<&Worker::touch_later>(i);
    const int touched = co_await workers[i].call<&Worker::look>();
    CHECK(touched == 2 * i);
  }
}

Task<> call_all_of(Runtime& runtime) {
  for (const int count : {1, 3, 70, 1200}) {
    const auto workers = co_await runtime.create_mapped<Worker>(count, count == 70 ? Map::round_robin : Map::block);
    const int sum_now = co_await workers.call_all<&Worker::square>(sum);
    const int sum_later = co_await workers.call_all<&Worker::slow_square>(sum, 5);
    const int largest = co_await workers.call_all<&Worker::square>(max);
    const int smallest = co_await workers.call_all<&Worker::square>(min);
    CHECK(sum_now == sum_of_squares(count));
    CHECK(sum_later == sum_of_squares(count));
    CHECK(largest == (count - 1) * (count - 1));
    CHECK(smallest == 0);
  }
}

Task<> combine_with_other_types(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(33);
  const auto names = co_await workers.call_all<&Worker::name>(Merge{});
  REQUIRE(names.size() == 33);
  for (int i = 0; i < 33; ++i) CHECK(names[static_cast<std::size_t>(i)] == i);
  const auto three = co_await workers.call_all<&Worker::three>(sum);
  CHECK(three == std::array<double, 3>{528, 33, -528});
  const auto product_of = co_await workers.call_all<&Worker::three>(product);
  CHECK(product_of[1] == 1);
}

Task<> wait_for_all(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(40);
  co_await workers.call_all_and_wait<&Worker::touch>(1);
  const int once = co_await workers.call_all<&Worker::look>(sum);
  co_await workers.call_all_and_wait<&Worker::touch_later>(2);
  const int thrice = co_await workers.call_all<&Worker::look>(sum);
  CHECK(once == 40);
  CHECK(thrice == 120);
}

Task<> call_deeply(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(7);
  const int depth = co_await workers[2].call<&Worker::deep>(200);
  CHECK(depth == 200);
}

Task<> call_side_by_side(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(50);
  std::vector<Task<int>> asked;
  struct Ask {
    static Task<int> one(Element<Worker> worker) { co_return co_await worker.call<&Worker::slow_square>(30); }
  };
  for (int i = 0; i < 50; ++i) asked.push_back(Ask::one(workers[i]));
  const std::vector<int> squares = co_await all(std::move(asked));
  for (int i = 0; i < 50; ++i) CHECK(squares[static_cast<std::size_t>(i)] == i * i);
}

Task<> catch_inside(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  const std::string text = co_await workers[3].call<&Worker::catches>();
  CHECK(text == "caught inner");
}

Task<> call_and_forget(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  { auto never_awaited = workers[3].call<&Worker::echo>(std::string(5000, 'x')); }
  co_await any(workers[3].call<&Worker::slow_square>(100), workers[2].call<&Worker::square>());
  co_await runtime.quiescence();  // the late reply finds nobody and is counted all the same
}

/// What a call of the entry throws: of one worker, or of all.
template <auto kEntry>
Task<std::string> error_of(Proxy<Worker> workers, bool is_of_all) {
  try {
    if (is_of_all)
      co_await workers.call_all<kEntry>(KeepFirstOf{});
    else
      co_await workers[3].call<kEntry>();
  } catch (const std::exception& error) {
    co_return error.what();
  }
  co_return "nothing";
}

Task<> call_for_what_cannot_be_packed(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  for (const bool is_of_all : {false, true}) {
    const std::string plain = co_await error_of<&Worker::stubborn>(workers, is_of_all);
    const std::string at_once = co_await error_of<&Worker::stubborn_at_once>(workers, is_of_all);
    const std::string later = co_await error_of<&Worker::stubborn_later>(workers, is_of_all);
    CHECK(has(plain, "it stays here"));
    CHECK(has(at_once, "it stays here"));
    CHECK(has(later, "it stays here"));
  }
  co_await runtime.quiescence();
  const int cube = co_await workers[3].call<&Worker::cube>();
  CHECK(cube == 27);
}

Task<> fail_plainly(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  workers[3].send<&Worker::fail>(1);
  co_await runtime.quiescence();
}
Task<> fail_in_broadcast(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  co_await workers.call_all_and_wait<&Worker::fail>(1);
}
Task<> fail_to_combine(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(40);
  co_await workers.call_all<&Worker::square>(Refuse{});
}
Task<> fail_at_start(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  co_await workers[2].call<&Worker::fail_at_once>();
}
Task<> fail_when_resumed(Runtime& runtime) {
  const auto workers = co_await runtime.create<Worker>(4);
  co_await workers[1].call<&Worker::fail_later>();
}
Task<> fail_itself(Runtime& runtime) {
  co_await runtime.sleep_for(std::chrono::microseconds(10));
  throw Bad("main");
}

std::string left_behind(Scene::MainTask main_task) {
  Scene scene;
  return thrown<std::exception>([&] { scene.run(main_task); });
}

TEST_CASE("a call gives the result of one element's entry", "[chares][call]") { run_everywhere(call_each); }
TEST_CASE("call_all combines the results of all elements", "[chares][call]") { run_everywhere(call_all_of); }
TEST_CASE("call_all combines arrays element by element and with a user's own operation", "[chares][call]") {
  run_everywhere(combine_with_other_types);
}
TEST_CASE("call_all_and_wait ends when all entries have ended", "[chares][call]") { run_everywhere(wait_for_all); }
TEST_CASE("calls nest", "[chares][call]") { run_everywhere(call_deeply); }
TEST_CASE("many calls run side by side", "[chares][call]") { run_everywhere(call_side_by_side); }
TEST_CASE("an exception reaches the awaiter inside an entry", "[chares][call]") { run_everywhere(catch_inside); }
TEST_CASE("a call may be given up before or after it was sent", "[chares][call]") { run_everywhere(call_and_forget); }

TEST_CASE("a result that cannot be packed is an error of the call", "[chares][call]") {
  for (const Network::Shape& shape : {Network::Shape(2, 1), Network::Shape(2, 2)})
    Scene(shape).run(call_for_what_cannot_be_packed);
  Scene({1, 2}, with(&Options::serialize_always, true)).run(call_for_what_cannot_be_packed);
}

TEST_CASE("an exception that leaves an entry ends the run", "[chares][call]") {
  CHECK(left_behind(fail_plainly) == "plain");
  CHECK(left_behind(fail_in_broadcast) == "plain");
  CHECK(left_behind(fail_to_combine) == "no sum");
  CHECK(left_behind(fail_at_start) == "at once");
  CHECK(left_behind(fail_when_resumed) == "later");
  CHECK(left_behind(fail_itself) == "main");
}

}  // namespace kaon::testing::calls

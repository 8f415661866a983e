// SPDX-License-Identifier: Apache-2.0
// Futures: told once, from anywhere, before or while they are awaited.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::futures {

class Answerer : public Chare<Answerer> {
 public:
  void answer(int question, Callback<int> to) { to(question * question); }
  void pass_on(int left, Callback<std::string> to) {
    if (left == 0) return to("here");
    array()[(index().x + 1) % array().shape().x].send<&Answerer::pass_on>(left - 1, to);
  }
  Task<> answer_late(Callback<> to) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(20));
    to();
  }
  void answer_two(Callback<int, std::string> to) { to(index().x, "two"); }
  void answer_twice(Callback<int> to) {
    to(1);
    to(2);
  }
  void take(long value) { value_ += value; }
  long value() const { return value_; }
  /// Awaited by an entry of a chare, wherever that is.
  Task<int> ask(int question) {
    const Future<int> answer = this_runtime().future<int>();
    const int at = (index().x + 1) % array().shape().x;
    array()[at].send<&Answerer::answer>(question, answer.callback());
    co_return co_await answer;
  }

 private:
  long value_ = 0;
};

Task<> be_told(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(6);
  std::vector<Future<int>> squares;
  for (int i = 0; i < 6; ++i) {
    squares.push_back(runtime.future<int>());  // which moves those before
    all[i].send<&Answerer::answer>(i, squares.back().callback());
  }
  int sum = 0;
  for (const Future<int>& square : squares) sum += co_await square;
  CHECK(sum == 0 + 1 + 4 + 9 + 16 + 25);

  const Future<std::string> passed = runtime.future<std::string>();
  all[0].send<&Answerer::pass_on>(20, passed.callback());
  const std::string from = co_await passed;
  CHECK(from == "here");
  const Future<int, std::string> both = runtime.future<int, std::string>();
  all[4].send<&Answerer::answer_two>(both.callback());
  const auto [number, text] = co_await both;
  CHECK(number == 4);
  CHECK(text == "two");
  for (int i = 0; i < 6; ++i) CHECK_AWAITED(all[i].call<&Answerer::ask>(i), i * i);
}

Task<> be_told_before(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(3);
  const Future<int> square = runtime.future<int>();
  CHECK_FALSE(square.is_ready());
  all[2].send<&Answerer::answer>(9, square.callback());
  co_await runtime.quiescence();  // which a future that nobody tells would not hold off
  const Future<> never = runtime.future<>();
  co_await runtime.quiescence();
  CHECK(square.is_ready());
  CHECK_FALSE(never.is_ready());
  CHECK_AWAITED(square, 81);
}

Task<> together(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(4);
  const Future<> late = runtime.future<>(), never = runtime.future<>();
  const Future<int> soon = runtime.future<int>();
  all[3].send<&Answerer::answer_late>(late.callback());
  all[2].send<&Answerer::answer>(3, soon.callback());
  const auto results = co_await kaon::all(soon, late);
  CHECK(std::get<0>(results) == 9);
  const auto first = co_await any(never, runtime.sleep_for(std::chrono::microseconds(50)));
  CHECK(first.index() == 1);
  never.callback()();
  co_await never;  // which any() gave up and nobody else told
  CHECK(never.is_ready());
}

Task<> ignore(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(2);
  for (int i = 0; i < 10; ++i) {
    Future<int> square = runtime.future<int>();
    all[1].send<&Answerer::answer>(i, square.callback());
    square.ignore();
    CHECK(has(thrown<UsageError>([&] { (void)square.callback(); }), "this future waits for nothing"));
  }
  co_await runtime.quiescence();
}

Task<> await_twice(Runtime& runtime) {
  const Future<int> one = runtime.future<int>();
  one.callback()(5);
  CHECK_AWAITED(one, 5);
  std::string text;
  try {
    (void)co_await one;
  } catch (const UsageError& error) {
    text = error.what();
  }
  CHECK(has(text, "awaited a second time"));
  CHECK(has(thrown<UsageError>([] { (void)Future<int>().operator co_await(); }), "waits for nothing"));
}

Task<> tell_twice(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(4);
  const Future<int> one = runtime.future<int>();
  all[3].send<&Answerer::answer_twice>(one.callback());
  co_await runtime.quiescence();
}

Task<> tell_after_its_end(Runtime& runtime) {
  const auto all = co_await runtime.create<Answerer>(4);
  {
    const Future<int> one = runtime.future<int>();
    all[3].send<&Answerer::answer>(1, one.callback());
  }
  const Future<int> other = runtime.future<int>();  // which must not be taken for it
  co_await runtime.quiescence();
}

Task<> never_told(Runtime& runtime) { co_await runtime.future<>(); }

TEST_CASE("futures are told from any PE", "[chares][future]") { run_everywhere(be_told); }
TEST_CASE("a future that was told before it is awaited gives its value", "[chares][future]") {
  run_everywhere(be_told_before);
}
TEST_CASE("futures are awaited together and beside timers", "[chares][future]") { run_everywhere(together); }
TEST_CASE("what an ignored future is told is dropped", "[chares][future]") { run_everywhere(ignore); }
TEST_CASE("a future that is ignored before it has a callback leaves nothing behind", "[chares][future]") {
  Scene scene({1, 1});
  const auto open = [&] { return scene.network().pe(0).replies().open_calls(); };
  const std::size_t before = open();
  scene.run([](Runtime& runtime) -> Task<> {
    for (int i = 0; i < 100; ++i) runtime.future<long>().ignore();
    co_return;
  });
  CHECK(open() == before);
}
TEST_CASE("a future gives its value once", "[chares][future]") { run_everywhere(await_twice); }
TEST_CASE("a future that is told again, or when it is no more, ends the run", "[chares][future]") {
  for (const Network::Shape& shape : {Network::Shape{1, 1}, Network::Shape{2, 2}}) {
    CHECK(has(thrown<kaon::UsageError>([&] { Scene(shape).run(tell_twice); }), "told again, or is no more"));
    CHECK(has(thrown<kaon::UsageError>([&] { Scene(shape).run(tell_after_its_end); }), "told again, or is no more"));
  }
}
TEST_CASE("a future that nobody tells is named among what is waited for", "[chares][future]") {
  Scene scene({1, 2});
  scene.start(never_told, 1);
  scene.network().run_until_idle();
  CHECK_FALSE(scene.all_ended());
  CHECK(has(scene.waits(), "for a future of PE 1 to be told"));
}

}  // namespace kaon::testing::futures

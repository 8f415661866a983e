// compiles
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

// Lambdas that are coroutines, or that return tasks. Each one outlives its task.
template <class F>
kaon::Task<int> retry(F function) {
  const int value = co_await function();
  co_return value;
}

struct Counter {
  int total = 0;
  template <class F>
  kaon::Task<> add(F function) {
    const int value = co_await function();
    total += value;
  }
  kaon::Task<> count() {
    const auto one = [this](auto more) -> kaon::Task<> {
      total += more;
      co_return;
    };
    co_await one(1);
    co_await [&]() -> kaon::Task<> {
      ++total;
      co_return;
    }();
    co_await add([this] { return retry([this]() -> kaon::Task<int> { co_return total; }); });
  }
};

kaon::Task<int> sum(int number) {
  const auto twice = [](int value) -> kaon::Task<int> { co_return 2 * value; };
  const auto any = [](auto value) -> kaon::Task<int> { co_return static_cast<int>(value); };
  const auto kept = [number, twice] { return twice(number); };
  const int a = co_await twice(number);
  const int b = co_await any(2.0);
  const int c = co_await kept();
  co_return a + b + c;
}

struct Functor {
  int number;
  kaon::Task<int> operator()() const { co_return number; }
};

int main(int argc, char** argv) {
  int value = 1;
  kaon::Session session;
  session.run([&](kaon::Runtime& runtime) -> kaon::Task<int> {
    const kaon::Outside outside = runtime.outside();
    outside.post([value](kaon::Runtime&) -> kaon::Task<> {
      const int all = co_await sum(value);
      static_cast<void>(all);
    });
    co_return co_await Functor{value}();
  });
  kaon::run(argc, argv, [value](kaon::Runtime&) -> kaon::Task<int> { co_return value; });
  return kaon::run(argc, argv, [&](kaon::Runtime&, const std::vector<std::string>&) -> kaon::Task<int> {
    value = 2;
    co_return 0;
  });
}

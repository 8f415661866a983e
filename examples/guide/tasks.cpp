// SPDX-License-Identifier: Apache-2.0
// Groups, the end of an array, priorities, timers, all, any and inboxes.
#include <chrono>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "examples/guide/sections.hpp"

namespace guide {

using namespace std::chrono_literals;

class Counter : public kaon::Chare<Counter> {
 public:
  void add(int amount) { total_ += amount; }
  int total() const { return total_; }

 private:
  int total_ = 0;
};

kaon::Task<bool> groups(kaon::Runtime& runtime) {
  auto counters = co_await runtime.create_group<Counter>();              // one on each PE
  counters[static_cast<int>(runtime.pes()) - 1].send<&Counter::add>(5);  // the last PE's, by message
  counters.local().add(2);                                               // this PE's: an ordinary object
  co_await runtime.quiescence();
  co_return co_await counters.call_all<&Counter::total>(kaon::sum) == 7;
}

kaon::Task<bool> ends_of_arrays(kaon::Runtime& runtime) {
  for (int phase = 0; phase < 3; ++phase) {
    const auto counters = co_await runtime.create<Counter>(4);
    counters.broadcast<&Counter::add>(phase);
    co_await runtime.quiescence();  // nobody sends to it any more
    if (co_await counters.call_all<&Counter::total>(kaon::sum) != 4 * phase) co_return false;
    co_await counters.destroy_and_wait();  // its elements and all that was kept for them are gone
  }
  co_return true;
}

class Diary : public kaon::Chare<Diary> {
 public:
  void note(std::string what) { notes_.push_back(std::move(what)); }
  std::vector<std::string> notes() const { return notes_; }
  void fill() {
    self().send<&Diary::note>(std::string("as it comes"));
    self().with_priority(10).send<&Diary::note>(std::string("when nothing else is to be done"));
    self().with_priority(-10).send<&Diary::note>(std::string("at once"));
  }

 private:
  std::vector<std::string> notes_;
};

kaon::Task<bool> priorities(kaon::Runtime& runtime) {
  auto diaries = co_await runtime.create<Diary>(1);
  diaries[0].send<&Diary::fill>();
  co_await runtime.quiescence();
  const std::vector<std::string> notes = co_await diaries[0].call<&Diary::notes>();
  co_return notes == std::vector<std::string>{"at once", "as it comes", "when nothing else is to be done"};
}

kaon::Task<bool> timers(kaon::Runtime& runtime) {
  const auto start = std::chrono::steady_clock::now();
  co_await runtime.sleep_for(2ms);  // other entries run meanwhile
  co_return std::chrono::steady_clock::now() - start >= 2ms;
}

class Oracle : public kaon::Chare<Oracle> {
 public:
  kaon::Inbox<int> signs;

  int answer() const { return 42; }
  kaon::Task<int> interpret() { co_return co_await signs.next(); }  // not before there is a sign
};

kaon::Task<bool> all_any(kaon::Runtime& runtime) {
  auto oracles = co_await runtime.create<Oracle>(2);
  // both at once: a tuple, when both are there
  const auto [first, second] =
      co_await kaon::all(oracles[0].call<&Oracle::answer>(), oracles[1].call<&Oracle::answer>());
  // the first of several: a variant whose index says which; a timer makes it a time-out
  const auto either = co_await kaon::any(oracles[0].call<&Oracle::interpret>(), runtime.sleep_for(1ms));
  oracles[0].send<&Oracle::signs>(1);  // the entry itself was not given up, only the wait for its result
  co_await runtime.quiescence();
  co_return first + second == 84 && either.index() == 1;
}

kaon::Task<int> ask(kaon::Element<Oracle> oracle) { co_return co_await oracle.call<&Oracle::answer>(); }

kaon::Task<int> ask_some(kaon::Proxy<Oracle> oracles, std::vector<int> which) {
  std::vector<kaon::Task<int>> asked;
  for (const int i : which) asked.push_back(ask(oracles[i]));
  const std::vector<int> answers = co_await kaon::all(std::move(asked));  // sends all, then awaits all
  co_return std::accumulate(answers.begin(), answers.end(), 0);
}

kaon::Task<bool> loops_of_calls(kaon::Runtime& runtime) {
  const auto oracles = co_await runtime.create<Oracle>(8);
  const std::vector<int> which{1, 2, 6};
  const int sum = co_await ask_some(oracles, which);
  co_return sum == 3 * 42;
}

struct Plane {
  int iteration;
  double value;
};

class Block : public kaon::Chare<Block> {
 public:
  kaon::Inbox<Plane, &Plane::iteration> planes;  // an entry whose messages wait for whoever asks

  kaon::Task<double> run(int iterations) {
    double sum = 0;
    for (int i = 0; i < iterations; ++i) {
      const Plane plane = co_await planes.when(i);  // whatever came before it
      sum = 2 * sum + plane.value;
    }
    co_return sum;
  }
};

kaon::Task<bool> inboxes(kaon::Runtime& runtime) {
  auto blocks = co_await runtime.create<Block>(1);
  blocks[0].send<&Block::planes>(Plane{1, 10});
  blocks[0].send<&Block::planes>(Plane{0, 1});
  co_return co_await blocks[0].call<&Block::run>(2) == 12;
}

}  // namespace guide

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/balancing.hpp"

#include <cstdint>
#include <map>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::balancing_tests {

int alive = 0;

/// Goes round by round in entries that are no coroutines: tells its neighbors, and when both have told it comes to the
/// barrier.
class Walker : public Chare<Walker> {
 public:
  Walker() { ++alive; }
  explicit Walker(int rounds) : rounds_(rounds) { ++alive; }
  ~Walker() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(rounds_, round_, heard_, sum_, places_);
  }

  void begin() {
    if (round_ == rounds_) return;
    const int count = array().shape().x, here = index().x;
    array()[(here + 1) % count].send<&Walker::hear>(round_, here);
    array()[(here + count - 1) % count].send<&Walker::hear>(round_, here);
  }
  void hear(int round, int from) {
    sum_ += from + 1;
    if (++heard_[round] < 2) return;
    heard_.erase(round);
    add_load(index().x + 1);
    rebalance_then<&Walker::next>(round + 1);
  }
  void next(int round) {
    round_ = round;
    places_.push_back(pe());
    begin();
  }
  int sum() const { return sum_; }
  std::vector<PeId> places() const { return places_; }

 private:
  int rounds_ = 0, round_ = 0, sum_ = 0;
  std::map<int, int> heard_;
  std::vector<PeId> places_;
};

void reset() { CHECK(alive == 0); }

Task<> walk(Runtime& runtime) {
  constexpr int kCount = 11, kRounds = 4;
  const auto walkers = co_await runtime.create<Walker>(kCount, kRounds);
  co_await runtime.balance(walkers, strategies::rotate);
  std::vector<PeId> first;
  for (int i = 0; i < kCount; ++i)
    first.push_back(
        static_cast<PeId>(Placement(Map::block, kCount, runtime.pes()).home(static_cast<std::uint64_t>(i))));
  walkers.broadcast<&Walker::begin>();
  co_await runtime.quiescence();
  CHECK(alive == kCount);
  for (int i = 0; i < kCount; ++i) {
    const int sum = co_await walkers[i].call<&Walker::sum>();
    CHECK(sum == kRounds * ((i + 1) % kCount + (i + kCount - 1) % kCount + 2));
    const auto places = co_await walkers[i].call<&Walker::places>();
    REQUIRE(places.size() == kRounds);
    for (std::size_t round = 0; round < kRounds; ++round)
      CHECK(places[round] == (first[static_cast<std::size_t>(i)] + round + 1) % runtime.pes());
  }
}

/// The same as one coroutine, which is awaited.
class Iterator : public Chare<Iterator> {
 public:
  Inbox<int> numbers;

  Iterator() { ++alive; }
  explicit Iterator(int steps) : steps_(steps) { ++alive; }
  ~Iterator() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(numbers, steps_, step_, sum_, moves_, last_);
  }

  Task<int> iterate() {
    if (last_ != pe()) ++moves_;
    last_ = pe();
    for (; step_ < steps_;) {
      const int count = array().shape().x;
      array()[(index().x + 1) % count].send<&Iterator::numbers>(step_ + 1);
      sum_ += co_await numbers.next();
      ++step_;
      co_await rebalance<&Iterator::iterate>();
    }
    co_return sum_;
  }
  int moves() const { return moves_; }

 private:
  int steps_ = 0, step_ = 0, sum_ = 0, moves_ = -1;
  PeId last_ = ~PeId{0};
};

Task<> iterate(Runtime& runtime) {
  constexpr int kCount = 7, kSteps = 5;
  const auto iterators = co_await runtime.create<Iterator>(kCount, kSteps);
  co_await runtime.balance(iterators, strategies::rotate);
  const int total = co_await iterators.call_all<&Iterator::iterate>(sum);
  CHECK(total == kCount * kSteps * (kSteps + 1) / 2);
  CHECK(alive == kCount);
  for (int i = 0; i < kCount; ++i) {
    const int moves = co_await iterators[i].call<&Iterator::moves>();
    CHECK(moves == (runtime.pes() > 1 ? kSteps : 0));
  }
}

Task<> iterate_called(Runtime& runtime) {
  const auto iterators = co_await runtime.create<Iterator>(1, 6);
  co_await runtime.balance(iterators, strategies::rotate);
  const int sum = co_await iterators[0].call<&Iterator::iterate>();
  CHECK(sum == 21);
}

/// Of a sparse array, some of whose elements are deleted while others wait.
class Guest : public Chare<Guest, int> {
 public:
  Guest() { ++alive; }
  explicit Guest(int steps) : steps_(steps) { ++alive; }
  ~Guest() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(steps_, step_);
  }
  Task<> stay() {
    for (; step_ < steps_;) {
      if (++step_ == 2 && index() % 3 == 0) {
        destroy();
        co_return;
      }
      co_await rebalance<&Guest::stay>();
    }
  }
  int steps() const { return step_; }

 private:
  int steps_ = 0, step_ = 0;
};

Task<> come_and_go(Runtime& runtime) {
  constexpr int kCount = 12, kSteps = 4;
  const auto guests = co_await runtime.create_sparse<Guest>();
  co_await runtime.balance(guests, strategies::rotate);
  for (int i = 0; i < kCount; ++i) co_await guests[7 * i].insert_and_wait(kSteps);
  for (int i = 0; i < kCount; ++i) guests[7 * i].send<&Guest::stay>();
  co_await runtime.quiescence();
  CHECK(alive == kCount - kCount / 3);
  const int steps = co_await guests.call_all<&Guest::steps>(sum);
  CHECK(steps == kSteps * (kCount - kCount / 3));
}

/// Reduces with all others between steps; the one with index 0 has another entry suspended, which keeps it.
class Reducer : public Chare<Reducer> {
 public:
  Inbox<int> ends;

  Reducer() { ++alive; }
  explicit Reducer(int steps) : steps_(steps) { ++alive; }
  ~Reducer() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(ends, steps_, step_, sum_);
  }
  Task<> wait_for_end() { co_await ends.next(); }
  Task<int> reduce() {
    while (step_ < steps_) {
      const int together = co_await contribute(kaon::sum, index().x + step_);
      sum_ += together;
      ++step_;
      co_await rebalance<&Reducer::reduce>();
    }
    co_return sum_;
  }
  PeId where() const { return pe(); }

 private:
  int steps_ = 0, step_ = 0, sum_ = 0;
};

Task<> reduce_between(Runtime& runtime) {
  constexpr int kCount = 6, kSteps = 4;
  const auto reducers = co_await runtime.create<Reducer>(kCount, kSteps);
  reducers[0].send<&Reducer::wait_for_end>();
  co_await runtime.quiescence();
  const PeId first = co_await reducers[0].call<&Reducer::where>();
  const PeId last = co_await reducers[kCount - 1].call<&Reducer::where>();
  co_await runtime.balance(reducers, strategies::rotate);
  const int total = co_await reducers.call_all<&Reducer::reduce>(sum);
  CHECK(total == kCount * (kSteps * (kCount * (kCount - 1) / 2) + kCount * (kSteps * (kSteps - 1) / 2)));
  const PeId first_now = co_await reducers[0].call<&Reducer::where>();
  const PeId last_now = co_await reducers[kCount - 1].call<&Reducer::where>();
  CHECK(first_now == first);
  CHECK(last_now == (last + kSteps) % runtime.pes());
  reducers[0].send<&Reducer::ends>(1);
}

/// main asks for a step while elements wait at the barrier: those stay, and their own step comes.
Task<> step_of_main_meanwhile(Runtime& runtime) {
  const auto iterators = co_await runtime.create<Iterator>(4, 2);
  co_await runtime.balance(iterators, strategies::rotate);
  for (int i = 0; i < 3; ++i) iterators[i].send<&Iterator::iterate>();
  iterators[0].send<&Iterator::numbers>(1);
  co_await runtime.quiescence();
  const BalanceStep step = co_await runtime.rebalance(iterators, strategies::rotate);
  CHECK(step.elements == 4);
  CHECK(step.moved == (runtime.pes() > 1 ? 1 : 0));
  const int sum = co_await iterators[3].call<&Iterator::iterate>();
  CHECK(sum == 3);
  co_await runtime.quiescence();
  const int moves = co_await iterators[1].call<&Iterator::moves>();
  CHECK(moves == (runtime.pes() > 1 ? 2 : 0));
}

Task<> destroy_meanwhile(Runtime& runtime) {
  const auto iterators = co_await runtime.create<Iterator>(6, 3);
  co_await runtime.balance(iterators, strategies::rotate);
  for (int i = 0; i < 5; ++i) iterators[i].send<&Iterator::iterate>();  // the sixth does not come to the barrier
  co_await runtime.quiescence();
  co_await iterators.destroy_and_wait();
  CHECK(alive == 0);
}

TEST_CASE("elements without coroutines meet at rebalance_then() and go where they are told", "[chares][balancing]") {
  run_everywhere(walk, reset);
}
TEST_CASE("a coroutine goes on on another PE, and its result comes", "[chares][balancing]") {
  run_everywhere(iterate, reset);
  run_everywhere(iterate_called, reset);
}
TEST_CASE("elements that come and go are counted at the barrier", "[chares][balancing]") {
  run_everywhere(come_and_go, reset);
}
TEST_CASE("elements reduce between steps, and one with other entries stays", "[chares][balancing]") {
  run_everywhere(reduce_between, reset);
}
TEST_CASE("main's step leaves those at the barrier where they are", "[chares][balancing]") {
  run_everywhere(step_of_main_meanwhile, reset);
}
TEST_CASE("steps are the same in many orders of events", "[chares][balancing]") {
  for (const auto& task : {walk, iterate, come_and_go, reduce_between, destroy_meanwhile})
    run_in_any_order({2, 2}, {100, 139}, task, reset);
}
TEST_CASE("an array is destroyed while its elements wait at the barrier", "[chares][balancing]") {
  run_everywhere(destroy_meanwhile, reset);
}
TEST_CASE("rebalance() of an array that is not balanced is refused", "[chares][balancing]") {
  const auto run = [](Runtime& runtime) -> Task<> {
    const auto iterators = co_await runtime.create<Iterator>(1, 3);
    co_await iterators[0].call<&Iterator::iterate>();
  };
  const std::string text = thrown<UsageError>([&] { Scene({1, 2}).run(run); });
  CHECK(has(text, "is not balanced: main says co_await runtime.balance(array, strategy) first"));
}
TEST_CASE("elements are told when their strategy fails", "[chares][balancing]") {
  const auto run = [](Runtime& runtime) -> Task<> {
    const auto iterators = co_await runtime.create<Iterator>(3, 3);
    co_await runtime.balance(iterators, [](const LoadReport&) { return std::vector<PeId>{}; });
    co_await iterators.call_all<&Iterator::iterate>(sum);
  };
  CHECK(has(thrown<UsageError>([&] { Scene({2, 2}).run(run); }), "gave 0 places for 3 elements"));
}

}  // namespace kaon::testing::balancing_tests

// SPDX-License-Identifier: Apache-2.0
// Chares in no array: made somewhere, found by their names, and gone when they say so.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::singles {

int alive = 0;
std::vector<int> made;  // in the order of their making
PeId place_of_first = 0;
std::map<PeId, int> made_on;  // how many
void reset() {
  CHECK(alive == 0);
  made.clear();
  made_on.clear();
}

class Worker : public Chare<Worker> {
 public:
  Worker() { ++alive; }
  explicit Worker(int number) : number_(number) {
    ++alive;
    made.push_back(number);
    if (number == 0) place_of_first = pe();
    ++made_on[pe()];
  }
  ~Worker() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(number_, sum_);
  }

  int number() const { return number_; }
  PeId where() const { return pe(); }
  void add(int value) { sum_ += value; }
  void go(PeId to) { migrate_to(to); }
  int end() {
    destroy();
    return sum_;
  }

 private:
  int number_ = 0;
  int sum_ = 0;
};

Task<> make_and_reach(Runtime& runtime) {
  std::vector<Element<Worker>> workers;
  for (int i = 0; i < 60; ++i) {
    workers.push_back(i % 3 == 0 ? runtime.make_on<Worker>(static_cast<PeId>(i) % runtime.pes(), i)
                                 : runtime.make<Worker>(i));
    workers.back().send<&Worker::add>(1);  // before it is there
  }
  for (const auto& worker : workers) worker.send<&Worker::add>(10);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const int number = co_await workers[i].call<&Worker::number>();
    CHECK(number == static_cast<int>(i));
    if (i % 3 != 0) continue;
    const PeId where = co_await workers[i].call<&Worker::where>();
    CHECK(where == i % runtime.pes());
  }
  co_await runtime.quiescence();
  CHECK(alive == 60);
  CHECK(made_on.size() == runtime.pes());
  for (std::size_t i = 0; i < workers.size(); i += 2)
    workers[i].send<&Worker::go>((static_cast<PeId>(i) * 5 + 1) % runtime.pes());
  for (const auto& worker : workers) {
    worker.send<&Worker::add>(100);
    const int sum_of = co_await worker.call<&Worker::end>();
    CHECK((sum_of == 11 || sum_of == 111));  // no order is promised
  }
  CHECK_THROWS_AS(runtime.make_on<Worker>(runtime.pes(), 1), UsageError);
}

/// Half of a search: its leaves are counted by a worker.
class Branch : public Chare<Branch> {
 public:
  Branch(Element<Worker> counter, int depth) {
    ++alive;
    ++made_on[pe()];
    for (int i = 0; depth > 0 && i < 2; ++i) this_runtime().make<Branch>(counter, depth - 1);
    if (depth == 0) counter.send<&Worker::add>(1);
    destroy();
  }
  ~Branch() { --alive; }
};

Task<> search(Runtime& runtime) {
  const auto counter = runtime.make<Worker>(0);
  runtime.make<Branch>(counter, 9);
  co_await runtime.quiescence();
  CHECK(alive == 1);
  CHECK(made_on.size() == runtime.pes());
  const int leaves = co_await counter.call<&Worker::end>();
  CHECK(leaves == 512);
}

Task<> make_newest_first(Runtime& runtime) {
  for (int i = 0; i < 8; ++i) runtime.make_with_priority<Worker>(i % 2, i);
  co_await runtime.quiescence();
  if (runtime.pes() == 1) CHECK(made == std::vector<int>{6, 4, 2, 0, 7, 5, 3, 1});
  CHECK(std::set<int>(made.begin(), made.end()).size() == 8);
}

Task<> give_oldest(Runtime& runtime) {
  for (int i = 0; i < 8; ++i) runtime.make<Worker>(i);
  co_await runtime.quiescence();
  if (runtime.pes() > 1) CHECK(place_of_first != runtime.pe());
}

/// To PEs that have none of its class, and know nothing of it.
Task<> go_where_none_is(Runtime& runtime) {
  const auto worker = runtime.make_on<Worker>(0, 1);
  worker.send<&Worker::add>(1);
  for (PeId to = 0; to < runtime.pes(); ++to) {
    worker.send<&Worker::go>(to);
    co_await runtime.quiescence();
    const PeId where = co_await worker.call<&Worker::where>();
    CHECK(where == to);
  }
  const int sum_of = co_await worker.call<&Worker::end>();
  CHECK(sum_of == 1);
}

class Spinner : public Chare<Spinner> {
 public:
  void spin() {
    if (made.size() < kSeeds) self().send<&Spinner::spin>();
  }
  static constexpr std::size_t kSeeds = 2;
};

/// Those of the last to be made were behind what comes for ever, and the others behind these.
template <class... Priority>
Task<> make_beside_who_is_never_idle(Runtime& runtime, Priority... late) {
  const Group<Spinner> spinners = co_await runtime.create_group<Spinner>();
  spinners.broadcast<&Spinner::spin>();
  (static_cast<void>(runtime.make_with_priority<Worker>(late, 99)), ...);
  for (std::size_t i = 0; i < Spinner::kSeeds; ++i) static_cast<void>(runtime.make<Worker>(static_cast<int>(i)));
  co_await runtime.quiescence();
  CHECK(made.size() == Spinner::kSeeds + sizeof...(late));
}

Task<> make_behind_late_ones(Runtime& runtime) { return make_beside_who_is_never_idle(runtime, 5); }
Task<> make_behind_those_by_bits(Runtime& runtime) {
  return make_beside_who_is_never_idle(runtime, BitPriority().child(1, 2));
}

TEST_CASE("a single chare does not wait behind late ones for a PE to be idle", "[chares][single]") {
  run_everywhere(make_behind_late_ones, reset);
  run_everywhere(make_behind_those_by_bits, reset);
}

TEST_CASE("single chares are made somewhere and found by their names", "[chares][single]") {
  run_everywhere(singles::make_and_reach, singles::reset);
}
TEST_CASE("a search spreads over all PEs", "[chares][single]") { run_everywhere(singles::search, singles::reset); }
TEST_CASE("of single chares the oldest is given to who has none", "[chares][single]") {
  run_everywhere(singles::give_oldest, singles::reset);
}
TEST_CASE("of single chares the newest of the best priority are made first", "[chares][single]") {
  run_everywhere(singles::make_newest_first, singles::reset);
}
TEST_CASE("a single chare moves to where none of its class has been", "[chares][single]") {
  run_everywhere(singles::go_where_none_is, singles::reset);
}

}  // namespace kaon::testing::singles

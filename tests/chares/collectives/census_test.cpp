// SPDX-License-Identifier: Apache-2.0
// Reductions over sparse arrays, whose elements come, move and go between contributions.
#include "kaon/chares/elements/census.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::census {

constexpr int kSteps = 14, kUnknown = -1;
std::vector<int> total;  // by step, what its result says; 0: nobody has heard it
std::vector<int> heard;  // by step, how many heard the result
std::int64_t next_index = 0;
int alive = 0;
void reset() {
  total.assign(kSteps, 0);
  heard.assign(kSteps, 0);
  next_index = 0;
  CHECK(alive == 0);
}

/// How many there are, and at which step.
struct CountAndStep {
  std::array<int, 2> operator()(std::array<int, 2> a, std::array<int, 2> b) const {
    return {a[0] + b[0], std::max(a[1], b[1])};
  }
};

class Cell : public Chare<Cell, std::int64_t> {
 public:
  Cell() { ++alive; }
  /// `step`: in which it is to take part first, or kUnknown.
  explicit Cell(int step) : step_(step) {
    ++alive;
    self().send<&Cell::go_on>();
  }
  ~Cell() { --alive; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(step_);
  }

  /// A plain method, which has a child now and then, and contributes later.
  void go_on() {
    if ((index() + step_) % 4 == 0) have_child();
    self().send<&Cell::contribute_and_go>();
  }
  /// A task that does so too.
  Task<> contribute_and_go() {
    if ((index() + step_) % 5 == 1) have_child();
    const std::array<int, 2> mine{1, step_};
    const auto [count, step] = co_await contribute(CountAndStep{}, mine);
    if (step_ != kUnknown) CHECK(step == step_);
    const auto at = static_cast<std::size_t>(step);
    if (total[at] != 0) CHECK(total[at] == count);
    total[at] = count;
    ++heard[at];
    step_ = step + 1;
    if (step_ == kSteps || (index() != 0 && (index() + step_) % 3 == 0)) {
      destroy();
      co_return;
    }
    self().send<&Cell::go_on>();
    migrate_to(static_cast<PeId>(index() * 3 + step_) % this_runtime().pes());
  }
  void stop() { destroy(); }
  Task<int> agree() { co_return co_await contribute(sum, 1); }
  /// Into another array, whose reductions have other numbers.
  Task<> agree_and_insert(Proxy<Cell> others) {
    for (int i = 0; i < 3; ++i) co_await contribute(sum, 1);
    co_await others[1].insert_and_wait();
  }

 private:
  void have_child() {
    if (alive < 60) array()[next_index++].insert_on(static_cast<PeId>(step_ + 7) % this_runtime().pes(), step_);
  }

  int step_ = 0;
};

void check_steps() {
  for (std::size_t step = 0; step < kSteps; ++step) {
    INFO("step " << step);
    CHECK(total[step] > 0);
    CHECK(heard[step] == total[step]);
  }
}

Task<> come_and_go(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < 5; ++i) cells[next_index++].insert_on(static_cast<PeId>(i) % runtime.pes(), 0);
  co_await runtime.quiescence();
  check_steps();
  CHECK(alive == 0);
  co_await cells.destroy_and_wait();
}

Task<> agree_after_insertion(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int count = 1; count <= 12; ++count) {
    co_await cells[count * 17].insert_on_and_wait(static_cast<PeId>(count * 5) % runtime.pes());
    const int all = co_await cells.call_all<&Cell::agree>(max);
    CHECK(all == count);
  }
  for (int count = 11; count > 0; --count) {
    cells[(count + 1) * 17].send<&Cell::stop>();
    co_await runtime.quiescence();
    const int all = co_await cells.call_all<&Cell::agree>(min);
    CHECK(all == count);
  }
  co_await cells.destroy_and_wait();
}

/// The others have contributed, and one ends instead.
Task<> end_instead(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < 6; ++i) co_await cells[i].insert_on_and_wait(static_cast<PeId>(i) % runtime.pes());
  auto sent = [&](int i) { return cells[i].call<&Cell::agree>(); };
  const auto end_one = [](Runtime& runtime, Proxy<Cell> cells) -> Task<int> {
    co_await runtime.sleep_for(std::chrono::microseconds(50));
    cells[5].send<&Cell::stop>();
    co_return 0;
  };
  const auto [a, b, c, d, e, f] = co_await all(sent(0), sent(1), sent(2), sent(3), sent(4), end_one(runtime, cells));
  CHECK(a == 5);
  CHECK((b == a && c == a && d == a && e == a && f == 0));
  co_await cells.destroy_and_wait();
}

Task<> fail_to_insert(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < 4; ++i) co_await cells[i].insert_and_wait();
  bool has_thrown = false;
  try {
    co_await cells[2].insert_and_wait();
  } catch (const UsageError&) {
    has_thrown = true;
  }
  CHECK(has_thrown);
  const int all = co_await cells.call_all<&Cell::agree>(max);
  CHECK(all == 4);
  co_await cells.destroy_and_wait();
}

/// Keeps its PE busy.
class Spinner : public Chare<Spinner> {
 public:
  void spin() {
    if (spins) self().send<&Spinner::spin>();
  }
  static inline bool spins = false;
};

Task<> agree_beside_who_is_never_idle(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int i = 0; i < 4; ++i) co_await cells[i].insert_and_wait();
  const auto spinners = co_await runtime.create_group<Spinner>();
  Spinner::spins = true;
  spinners.broadcast<&Spinner::spin>();
  const int all = co_await cells.call_all<&Cell::agree>(max);
  Spinner::spins = false;
  CHECK(all == 4);
}

Task<> insert_from_another_array(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  const auto others = co_await runtime.create_sparse<Cell>();
  co_await cells[0].insert_on_and_wait(runtime.pes() - 1);
  co_await others[0].insert_and_wait();
  co_await cells[0].call<&Cell::agree_and_insert>(others);
  const int all = co_await others.call_all<&Cell::agree>(min);
  CHECK(all == 2);
  co_await cells.destroy_and_wait();
  co_await others.destroy_and_wait();
}

}  // namespace kaon::testing::census

namespace ce = kaon::testing::census;
using kaon::testing::LoopbackNetwork;
using kaon::testing::Scene;

TEST_CASE("reductions of a sparse array have a value of each that is there", "[chares][census]") {
  kaon::testing::run_everywhere(ce::come_and_go, ce::reset);
}

TEST_CASE("who has been inserted takes part in the next reduction", "[chares][census]") {
  kaon::testing::run_everywhere(ce::agree_after_insertion, ce::reset);
}

TEST_CASE("a reduction of a sparse array does not wait for who ends", "[chares][census]") {
  kaon::testing::run_everywhere(ce::end_instead, ce::reset);
}

TEST_CASE("a reduction of a sparse array does not wait for who was not made", "[chares][census]") {
  kaon::testing::run_everywhere(ce::fail_to_insert, ce::reset);
}

TEST_CASE("a reduction of a sparse array ends beside PEs that are never idle", "[chares][census]") {
  kaon::testing::run_everywhere(ce::agree_beside_who_is_never_idle, ce::reset);
}

TEST_CASE("whom an element of another array inserts takes part in the next reduction", "[chares][census]") {
  kaon::testing::run_everywhere(ce::insert_from_another_array, ce::reset);
}

TEST_CASE("reductions of sparse arrays are right in many orders", "[chares][census]") {
  kaon::testing::run_in_any_order({3, 2}, {1, 60}, ce::come_and_go, ce::reset);
}

TEST_CASE("a census counts each from its first reduction to its last", "[chares][census]") {
  kaon::chares::Census census;
  census.born(0);
  census.born(0);
  CHECK(census.first_of_newcomer() == 0);
  CHECK(census.count(0).members == 2);
  CHECK(census.first_of_newcomer() == 1);
  census.born(census.first_of_newcomer());
  CHECK(census.count(0).members == 2);
  CHECK_FALSE(census.died(1));  // nobody counts for that one yet
  CHECK(census.died(0));
  CHECK(census.count(0).members == 1);
  CHECK(census.count(0).changes == 3);
  CHECK(census.count(1).changes == 5);
  census.settle(0);
  CHECK(census.count(1).changes == 5);
  CHECK(census.next() == 1);
  CHECK(census.count(1).members == 1);
  census.settle(2);  // which has overtaken that of 1
  census.settle(1);
  CHECK(census.next() == 3);
  CHECK(census.first_of_newcomer() == 3);
}

// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements live together.
#include <chrono>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::bonded {

int apart = 0;          // how often one did not find its mate
bool are_cells = true;  // until they are destroyed

class Field;

class Cell : public Chare<Cell> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(fields_, turns_);
  }
  void know(Proxy<Field> fields) { fields_ = fields; }
  PeId where() { return pe(); }
  int turns() const { return turns_; }
  void go(PeId to) { migrate_to(to); }
  void wander(int rounds);
  void end() { destroy(); }
  bool has_mate() const;

 private:
  Proxy<Field> fields_;
  int turns_ = 0;
};

class Field : public Chare<Field> {
 public:
  Field() = default;
  explicit Field(Proxy<Cell> cells) : cells_(cells), values_(100, 1.0) { look(); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(cells_, sum_, values_, payload_);
  }

  PeId where() { return pe(); }
  int sum() {
    look();
    return sum_;
  }
  double values() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum;
  }
  void add(int value) {
    look();
    sum_ += value;
  }
  void keep(Payload<int> payload) { payload_ = std::move(payload); }
  int kept() const { return payload_.view().empty() ? 0 : payload_.view().back(); }
  void go(PeId to) { migrate_to(to); }
  Task<> sleep_and_add(int value) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(50));
    add(value);
  }
  Task<> iterate(int step, int steps) {
    for (; step < steps; ++step) {
      add(1);
      co_await this_runtime().sleep_for(std::chrono::microseconds(3));
      co_await at_rest<&Field::iterate>(step + 1, steps);
    }
  }
  void load(double seconds) { add_load(seconds); }
  std::string balance() {
    return thrown<UsageError>([&] { rebalance_then<&Field::add>(1); });
  }
  void look() {
    if (are_cells && cells_[index()].local() == nullptr) ++apart;
  }

 private:
  Proxy<Cell> cells_;
  int sum_ = 0;
  std::vector<double> values_;
  Payload<int> payload_;
};

bool Cell::has_mate() const { return fields_[index()].local() != nullptr; }

void Cell::wander(int rounds) {
  ++turns_;
  if (!has_mate()) ++apart;
  const int count = array().shape().x;
  fields_[index()].send<&Field::add>(1);
  fields_[(index().x + rounds) % count].send<&Field::add>(1);
  const PeId to = (pe() * 3 + static_cast<PeId>(rounds + index().x)) % this_runtime().pes();
  if (rounds % 3 == 0)
    fields_[index()].send<&Field::go>(to);  // by the one that is bound
  else
    migrate_to(to);
  if (rounds > 0) self().send<&Cell::wander>(rounds - 1);
}

void reset() {
  apart = 0;
  are_cells = true;
}

constexpr int kCount = 13;

Task<Proxy<Field>> bind(Runtime& runtime, Proxy<Cell> cells) {
  const auto fields = co_await runtime.create_bound<Field>(cells, cells);
  co_await cells.call_all_and_wait<&Cell::know>(fields);
  co_return fields;
}

Task<> check_together(Proxy<Cell> cells, Proxy<Field> fields) {
  for (int i = 0; i < cells.shape().x; ++i) {
    const PeId cell = co_await cells[i].call<&Cell::where>();
    const PeId field = co_await fields[i].call<&Field::where>();
    CHECK(cell == field);
  }
}

Task<> live_together(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  for (int i = 0; i < kCount; ++i) cells[i].send<&Cell::go>(static_cast<PeId>(i * 5) % runtime.pes());
  const auto fields = co_await bind(runtime, cells);  // while they move
  co_await check_together(cells, fields);
  for (int i = 0; i < kCount; ++i) fields[i].send<&Field::keep>(Payload<int>(std::vector<int>(3000, i + 1)));
  cells.broadcast<&Cell::wander>(12);
  co_await runtime.quiescence();
  co_await check_together(cells, fields);
  CHECK(apart == 0);
  for (int i = 0; i < kCount; ++i) {
    const int turns = co_await cells[i].call<&Cell::turns>();
    const int sum = co_await fields[i].call<&Field::sum>();
    const double values = co_await fields[i].call<&Field::values>();
    const int kept = co_await fields[i].call<&Field::kept>();
    CHECK(turns == 13);
    CHECK(sum == 26);
    CHECK(values == 100);
    CHECK(kept == i + 1);
  }
}

/// Any of three takes the other two along.
Task<> live_in_threes(Runtime& runtime) {
  const auto cells = co_await runtime.create_mapped<Cell>(kCount, Map::round_robin);
  const auto fields = co_await bind(runtime, cells);
  const auto others = co_await runtime.create_bound<Field>(fields, cells);
  for (int i = 0; i < kCount; ++i) others[i].send<&Field::go>(static_cast<PeId>(i + 1) % runtime.pes());
  co_await runtime.quiescence();
  co_await check_together(cells, fields);
  co_await check_together(cells, others);
  for (int i = 0; i < kCount; ++i) {
    const PeId where = co_await cells[i].call<&Cell::where>();
    CHECK(where == static_cast<PeId>(i + 1) % runtime.pes());
  }
}

/// Who is told to move waits for entries of the others that are suspended, and for their points of rest.
Task<> wait_for_each_other(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto fields = co_await bind(runtime, cells);
  for (int i = 0; i < kCount; ++i) {
    if (i % 2 == 0)
      fields[i].send<&Field::sleep_and_add>(10);
    else
      fields[i].send<&Field::iterate>(0, 10);
    cells[i].send<&Cell::go>(static_cast<PeId>(i + 1) % runtime.pes());
    cells[i].send<&Cell::go>(static_cast<PeId>(i + 2) % runtime.pes());
  }
  co_await runtime.quiescence();
  co_await check_together(cells, fields);
  for (int i = 0; i < kCount; ++i) {
    const PeId where = co_await cells[i].call<&Cell::where>();
    const int sum = co_await fields[i].call<&Field::sum>();
    CHECK(where == static_cast<PeId>(i + 2) % runtime.pes());
    CHECK(sum == 10);
  }
  CHECK(apart == 0);
}

/// The strategy sees what both take, and moves both.
Task<> are_balanced_as_one(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto fields = co_await bind(runtime, cells);
  const auto spread = [](const LoadReport& report) {
    std::vector<PeId> places;
    for (const ElementLoad& each : report.elements) {
      CHECK(each.seconds >= 1.0);
      places.push_back(static_cast<PeId>(each.element + 1) % report.pes);
    }
    return places;
  };
  co_await runtime.balance(cells, Strategy(spread));
  co_await fields.call_all_and_wait<&Field::load>(1.0);
  for (int i = 0; i < kCount; ++i) fields[i].send<&Field::sleep_and_add>(5);
  static_cast<void>(co_await runtime.rebalance(cells, Strategy(spread)));
  co_await check_together(cells, fields);
  for (int i = 0; i < kCount; ++i) {
    const PeId where = co_await cells[i].call<&Cell::where>();
    CHECK(where == static_cast<PeId>(i + 1) % runtime.pes());
  }
  const std::string error = co_await fields[0].call<&Field::balance>();
  CHECK(has(error, "is not balanced"));
}

Task<> go_on_without_the_other(Runtime& runtime) {
  const auto cells = co_await runtime.create<Cell>(kCount);
  const auto fields = co_await bind(runtime, cells);
  const auto others = co_await runtime.create_bound<Field>(cells, cells);
  co_await others.destroy_and_wait();
  cells.broadcast<&Cell::wander>(6);
  co_await runtime.quiescence();
  co_await check_together(cells, fields);
  CHECK(apart == 0);
  cells.broadcast<&Cell::wander>(6);
  are_cells = false;
  co_await cells.destroy_and_wait();  // also while they are on their way
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) fields[i].send<&Field::go>(static_cast<PeId>(i) % runtime.pes());
  co_await runtime.quiescence();
  for (int i = 0; i < kCount; ++i) {
    const PeId where = co_await fields[i].call<&Field::where>();
    const double values = co_await fields[i].call<&Field::values>();
    CHECK(where == static_cast<PeId>(i) % runtime.pes());
    CHECK(values == 100);
  }
}

TEST_CASE("elements of arrays that are bound are made and moved together", "[chares][bonds]") {
  run_everywhere(live_together, reset);
}
TEST_CASE("several arrays are bound to one, also by way of another", "[chares][bonds]") {
  run_everywhere(live_in_threes, reset);
}
TEST_CASE("bound elements move when all are at rest", "[chares][bonds]") { run_everywhere(wait_for_each_other, reset); }
TEST_CASE("a balanced array takes along what is bound to it", "[chares][bonds]") {
  run_everywhere(are_balanced_as_one, reset);
}
TEST_CASE("bound arrays outlive each other", "[chares][bonds]") { run_everywhere(go_on_without_the_other, reset); }

}  // namespace kaon::testing::bonded

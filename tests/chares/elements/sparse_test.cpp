// SPDX-License-Identifier: Apache-2.0
// Sparse arrays: elements that come, move and go under the same indices, and messages for them at any time.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/pe/stall_watch.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::sparse {

int alive = 0;
std::map<std::int64_t, int> received;  // by index
void reset() {
  CHECK(alive == 0);
  received.clear();
}

class Cell : public Chare<Cell, std::int64_t> {
 public:
  Cell() { ++alive; }
  explicit Cell(int start) : sum_(start) { ++alive; }
  explicit Cell(std::string reason) { throw UsageError("no cell: " + std::move(reason)); }
  ~Cell() { --alive; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(sum_);
  }

  void add(int value) {
    sum_ += value;
    received[index()] += value;
  }
  int total() const { return sum_; }
  PeId where() const { return pe(); }
  void go(PeId to) { migrate_to(to); }
  void end() { destroy(); }
  int end_with_total() {
    destroy();
    return sum_;
  }
  /// Goes through PEs, then ends, and another one begins in its place; the last stays.
  void live(int moves, int lives) {
    const PeId pes = this_runtime().pes();
    if (moves > 0) {
      self().send<&Cell::live>(moves - 1, lives);
      return migrate_to((pe() * 3 + static_cast<PeId>(moves)) % pes);
    }
    if (lives == 0) return;
    destroy();
    self().insert_on((pe() + 1) % pes, sum_);
    self().send<&Cell::live>(5, lives - 1);
  }
  void hand_to_all(std::int64_t count, int value) {
    for (std::int64_t to = 0; to < count; ++to) array()[to].send<&Cell::add>(value);
  }

 private:
  int sum_ = 0;
};

constexpr std::int64_t kFar = std::int64_t{1} << 50;

Task<> insert_and_reach(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  CHECK(cells.is_sparse());
  for (int i = -20; i < 20; ++i) {
    if (i % 2 == 0) cells[i * kFar].send<&Cell::add>(1);  // before it is there
    cells[i * kFar].insert(100);
    if (i % 2 != 0) cells[i * kFar].send<&Cell::add>(1);
  }
  co_await cells[7].insert_on_and_wait(runtime.pes() - 1, 50);
  const PeId where = co_await cells[7].call<&Cell::where>();
  CHECK(where == runtime.pes() - 1);
  CHECK(cells[7].index() == 7);
  co_await runtime.quiescence();
  CHECK(alive == 41);
  const int total = co_await cells.call_all<&Cell::total>(sum);
  CHECK(total == 40 * 101 + 50);
  CHECK(received.size() == 40);
  co_await cells.destroy_and_wait();
  CHECK(alive == 0);
}

Task<> come_and_go(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  for (int round = 0; round < 6; ++round) {
    for (std::int64_t i = 0; i < 12; ++i) cells[i].insert_on((static_cast<PeId>(i) + 2) % runtime.pes(), 0);
    for (std::int64_t i = 0; i < 12; i += 2) cells[i].send<&Cell::go>(static_cast<PeId>(i) % runtime.pes());
    for (std::int64_t i = 0; i < 12; ++i) cells[i].send<&Cell::hand_to_all>(12, 1);
    co_await runtime.quiescence();
    CHECK(alive == 12);
    for (std::int64_t i = 0; i < 12; ++i) {
      const int total = co_await cells[i].call<&Cell::end_with_total>();
      CHECK(total == 12);
    }
  }
  co_await runtime.quiescence();
  CHECK(alive == 0);
}

/// Each index has many lives, and messages from everywhere find one of them.
Task<> live_on(Runtime& runtime) {
  constexpr std::int64_t kCount = 8;
  constexpr int kLives = 9, kMessages = 50;
  const auto cells = co_await runtime.create_sparse<Cell>();
  const auto senders = co_await runtime.create_sparse<Cell>();
  for (std::int64_t i = 0; i < kCount; ++i) {
    cells[i].insert(0);
    cells[i].send<&Cell::live>(3, kLives);
    senders[i].insert_on(static_cast<PeId>(i) % runtime.pes(), 0);
  }
  for (int i = 0; i < kMessages; ++i)
    for (std::int64_t to = 0; to < kCount; ++to) {
      cells[to].send<&Cell::add>(1);
      if (i % 10 == 9) co_await senders[to].call<&Cell::total>();  // a while passes
    }
  co_await runtime.quiescence();
  CHECK(alive == 2 * kCount);
  for (std::int64_t i = 0; i < kCount; ++i) CHECK(received[i] == kMessages);
}

/// Inserts, moves, asks and deletes, until the array is destroyed.
class Stirrer : public Chare<Stirrer> {
 public:
  void pause() {}
  Task<> stir(Proxy<Cell> cells, int times) {
    const PeId pes = this_runtime().pes();
    try {
      for (int i = 0; i < times; ++i) {
        const auto cell = cells[index().x * 100 + i % 7];
        co_await cell.insert_on_and_wait((static_cast<PeId>(i) + pe()) % pes, 1);
        cell.send<&Cell::go>(static_cast<PeId>(i) % pes);
        const int total = co_await cell.call<&Cell::total>();
        CHECK(total == 1);
        cell.send<&Cell::end>();
      }
    } catch (const UsageError& error) {
      CHECK(has(error.what(), "destroyed"));
    }
  }
};

Task<> destroy_meanwhile(Runtime& runtime) {
  const auto stirrers = co_await runtime.create_group<Stirrer>();
  for (int round = 0; round < 8; ++round) {
    const auto cells = co_await runtime.create_sparse<Cell>();
    for (int i = 0; i < static_cast<int>(runtime.pes()); ++i) stirrers[i].send<&Stirrer::stir>(cells, 200);
    for (int i = 0; i < round; ++i) co_await stirrers.call_all_and_wait<&Stirrer::pause>();
    cells.broadcast<&Cell::add>(0);
    co_await cells.destroy_and_wait();
    co_await runtime.quiescence();
    CHECK(alive == 0);
  }
}

class Dense : public Chare<Dense> {};

template <class Waiting>
Task<std::string> error_of(Waiting waiting) {
  try {
    co_await std::move(waiting);
  } catch (const UsageError& error) {
    co_return error.what();
  }
  co_return "";
}

Task<> refuse(Runtime& runtime) {
  const auto cells = co_await runtime.create_sparse<Cell>();
  co_await cells[3].insert_and_wait(1);
  const std::string twice = co_await error_of([](auto to) -> Task<> { co_await to.insert_and_wait(2); }(cells[3]));
  CHECK(has(twice, "element 3 of a sparse array"));
  CHECK(has(twice, "exists already"));
  const std::string unmade =
      co_await error_of([](auto to) -> Task<> { co_await to.insert_and_wait(std::string("why")); }(cells[4]));
  CHECK(has(unmade, "no cell: why"));
  for (PeId pe = 0; pe < runtime.pes(); ++pe) {
    const auto fail_on = [](auto to, PeId pe) -> Task<> { co_await to.insert_on_and_wait(pe, std::string("where")); };
    const std::string there = co_await error_of(fail_on(cells[4], pe));
    CHECK(has(there, "no cell: where"));
  }
  co_await cells[4].insert_and_wait(4);  // what could not be made left nothing
  const std::string nowhere =
      co_await error_of([](auto to) -> Task<> { co_await to.insert_on_and_wait(this_runtime().pes(), 2); }(cells[5]));
  CHECK(has(nowhere, "insert_on(" + std::to_string(runtime.pes()) + ")"));
  const auto dense = co_await runtime.create<Dense>(3);
  const std::string fixed = co_await error_of([](auto to) -> Task<> { co_await to.insert_and_wait(); }(dense[1]));
  CHECK(has(fixed, "has all its elements from the start"));
}

TEST_CASE("elements of a sparse array are inserted anywhere, and messages may come before", "[chares][sparse]") {
  run_everywhere(sparse::insert_and_reach, sparse::reset);
}
TEST_CASE("elements of a sparse array come, move and go", "[chares][sparse]") {
  run_everywhere(sparse::come_and_go, sparse::reset);
}
TEST_CASE("each message reaches one of the lives of its index", "[chares][sparse]") {
  run_everywhere(sparse::live_on, sparse::reset);
}
TEST_CASE("a sparse array is destroyed while elements come, move and go", "[chares][sparse]") {
  run_everywhere(sparse::destroy_meanwhile, sparse::reset);
}
TEST_CASE("insertions that cannot be are refused", "[chares][sparse]") { run_everywhere(sparse::refuse); }

}  // namespace kaon::testing::sparse

// SPDX-License-Identifier: Apache-2.0
// What is kept of ordered messages goes with the elements that send or get them.
#include "kaon/chares/sending/line_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "kaon/chares/elements/element_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::line_ends {

int wrong = 0, taken = 0;

/// Numbers of one sender in order, in each life under an index.
class Cell : public Chare<Cell> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(next_);
  }
  void first(int number) {
    ++taken;
    if (number != next_++) ++wrong;
    if (number == 1) migrate_to((pe() + 1) % this_runtime().pes());
  }
  void last(int number) {
    first(number);
    destroy();
  }
  using ordered = Entries<&Cell::first, &Cell::last>;

 private:
  int next_ = 0;
};

/// Of a dense array, to which many send that come and go.
class Collector : public Chare<Collector> {
 public:
  void take(int number) {
    ++taken;
    if (number < 0) ++wrong;
  }
  void hear(int) { ++taken; }
  using ordered = Entries<&Collector::take, &Collector::hear>;
};
class Worker : public Chare<Worker> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  void work(Proxy<Collector> to) {
    for (int i = 0; i < 3; ++i) to[i % 2].send<&Collector::take>(i);
    to.broadcast<&Collector::hear>(1);
    destroy();
  }
};

std::size_t lines_in(Scene& scene) {
  std::size_t count = 0;
  for (PeId pe = 0; pe < scene.network().pes(); ++pe) {
    scene.network().pe(pe).collections().each([&](const runtime::Collection& each) {
      auto& table = const_cast<ElementTable&>(static_cast<const ElementTable&>(each));
      if (const Orders* const orders = table.find_part<Orders>()) count += orders->count_lines();
    });
  }
  return count;
}

void leaves_nothing(const Scene::MainTask& main_task, int expected) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    wrong = taken = 0;
    Scene scene({2, seed % 2 == 0 ? 2 : 1}, default_options(), seed);
    scene.network().set_order(LoopbackNetwork::Order::any);
    scene.run(main_task);
    scene.network().run_until_idle();
    CHECK(wrong == 0);
    CHECK(taken == expected);
    CHECK(lines_in(scene) == 0);
    for (PeId pe = 0; pe < scene.network().pes(); ++pe) CHECK(scene.network().pe(pe).waits().dependent() == 0);
  }
}

TEST_CASE("nothing is kept of ordered messages to elements of a sparse array that have ended", "[order]") {
  leaves_nothing(
      [](Runtime& runtime) -> Task<> {
        const auto cells = co_await runtime.create_sparse<Cell>();
        for (int i = 0; i < 30; ++i) {
          cells[i].insert();
          for (int number = 0; number < 4; ++number) cells[i].send<&Cell::first>(number);
          cells[i].send<&Cell::last>(4);
        }
        co_await runtime.quiescence();
      },
      30 * 5);
}

TEST_CASE("each life under an index is sent to in order, wherever it begins", "[order]") {
  leaves_nothing(
      [](Runtime& runtime) -> Task<> {
        const auto cells = co_await runtime.create_sparse<Cell>();
        for (PeId life = 0; life < 6; ++life) {
          cells[1].insert_on(life % runtime.pes());
          for (int number = 0; number < 4; ++number) cells[1].send<&Cell::first>(number);
          cells[1].send<&Cell::last>(4);
          co_await runtime.quiescence();
        }
      },
      6 * 5);
}

TEST_CASE("nothing is kept of ordered messages of senders that have ended", "[order]") {
  leaves_nothing(
      [](Runtime& runtime) -> Task<> {
        const auto collectors = co_await runtime.create<Collector>(4);
        const auto workers = co_await runtime.create_sparse<Worker>();
        for (int i = 0; i < 20; ++i) {
          workers[i].insert();
          workers[i].send<&Worker::work>(collectors);
        }
        co_await runtime.quiescence();
      },
      20 * (3 + 4));
}

TEST_CASE("nothing is kept of ordered messages to single chares that have ended", "[order]") {
  leaves_nothing(
      [](Runtime& runtime) -> Task<> {
        for (int i = 0; i < 20; ++i) {
          const auto cell = runtime.make_on<Cell>(static_cast<PeId>(i) % runtime.pes());
          for (int number = 0; number < 4; ++number) cell.send<&Cell::first>(number);
          cell.send<&Cell::last>(4);
        }
        co_await runtime.quiescence();
      },
      20 * 5);
}

}  // namespace kaon::testing::line_ends

// SPDX-License-Identifier: Apache-2.0
// Elements that are on their way to a PE where the end of their array comes first.
#include "kaon/chares/elements/table_end.hpp"

#include <optional>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::table_ends {

int alive = 0;

/// An argument that counts how many of it there are.
struct Cargo {
  Cargo() { ++carried; }
  Cargo(const Cargo&) { ++carried; }
  Cargo& operator=(const Cargo&) = default;
  ~Cargo() { --carried; }
  template <class Archive>
  void pup(Archive&) {}
  static inline int carried = 0;
};

class Traveller : public Chare<Traveller> {
 public:
  Traveller() { ++alive; }
  ~Traveller() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(wake);
  }

  void go(PeId to) { migrate_to(to); }
  /// Does not leave before it is woken.
  Task<> sleep_and_go(PeId to) {
    migrate_to(to);
    co_await wake.next();
  }
  Inbox<int> wake;
  int answer() const { return 1; }
  void carry(Cargo) {}
};

Proxy<Traveller> travellers;

Task<> destroy(Runtime&) { co_await travellers.destroy_and_wait(); }

/// A run in which the last third of the travellers, at home on PE 2 of three, are on their way to PE 1 and do not come.
class OnTheWay {
 public:
  explicit OnTheWay(int count = 3) : scene({3, 1}) {
    scene.run([count](Runtime& runtime) -> Task<> { travellers = co_await runtime.create<Traveller>(count); });
    network().run_until_idle();
    network().wire().hold([](const LoopbackNetwork::Parcel& parcel) {
      return parcel.from == 2 && parcel.to == 1 && parcel.kind == LoopbackNetwork::Kind::data;
    });
    network().on(2, [count](Pe&) {
      for (int i = count / 3 * 2; i < count; ++i) travellers[i].send<&Traveller::go>(1);
    });
    network().run_until_idle();
  }
  Network& network() { return scene.network(); }
  ElementTable& table() { return static_cast<ElementTable&>(*network().pe(1).collections().find(travellers.id())); }
  void let_it_come() {
    network().wire().hold({});
    network().run_until_idle();
  }

  Scene scene;
};

TEST_CASE("an element that comes when its array has sent off the others goes, too", "[chares][table_end]") {
  {
    OnTheWay run;
    std::optional<Elements::Walk> use(run.table().elements());  // as a broadcast would
    run.scene.start(destroy);
    run.network().run_until_idle();
    CHECK(run.table().elements().count() == 0);
    run.let_it_come();
    CHECK_FALSE(run.scene.all_ended());
    use.reset();
    run.network().on(1, [&](Pe&) { run.table().use_is_over(); });
    run.network().run_until_idle();
    CHECK(run.scene.all_ended());
    CHECK(alive == 0);
  }
  CHECK(alive == 0);
}

TEST_CASE("who awaits a result of an element on its way is told when its array ends", "[chares][table_end]") {
  OnTheWay run;
  static bool has_failed = false;
  run.scene.start(
      [](Runtime&) -> Task<> {
        try {
          co_await travellers[2].call<&Traveller::answer>();
        } catch (const UsageError&) {
          has_failed = true;
        }
      },
      1);
  run.network().run_until_idle();
  CHECK_FALSE(run.scene.all_ended());
  run.scene.start(destroy);
  run.network().run_until_idle();
  CHECK(has_failed);
  run.let_it_come();
  CHECK(run.scene.all_ended());
}

TEST_CASE("each who awaits a result of one of several elements on their way is told when their array ends",
          "[chares][table_end]") {
  OnTheWay run(9);
  static int failed = 0;
  failed = 0;
  const auto ask = [](int element) -> Task<> {
    try {
      co_await travellers[element].call<&Traveller::answer>();
    } catch (const UsageError&) {
      ++failed;
    }
  };
  for (const int element : {6, 7, 8, 7}) run.scene.start([=](Runtime&) { return ask(element); }, 1);
  run.network().run_until_idle();
  CHECK(failed == 0);
  run.scene.start(destroy);
  run.network().run_until_idle();
  CHECK(failed == 4);
  run.let_it_come();
  CHECK(run.scene.all_ended());
}

TEST_CASE("what waits for an element on its way goes when the run ends first", "[chares][table_end]") {
  {
    OnTheWay run(6);
    run.network().on(1, [](Pe&) {
      for (const int element : {4, 5, 4}) travellers[element].send<&Traveller::carry>(Cargo());
    });
    run.network().run_until_idle();
    CHECK(Cargo::carried == 3);
  }
  CHECK(Cargo::carried == 0);
}

TEST_CASE("an element that waits to move goes with its array", "[chares][table_end]") {
  {
    Scene scene({2, 1});
    scene.run([](Runtime& runtime) -> Task<> {
      travellers = co_await runtime.create<Traveller>(4);
      travellers.broadcast<&Traveller::sleep_and_go>((runtime.pe() + 1) % runtime.pes());
    });
    scene.network().run_until_idle();
    CHECK(alive == 4);
    scene.run(destroy);
    CHECK(alive == 0);
    scene.network().run_until_idle();
    for (PeId pe = 0; pe < 2; ++pe) CHECK(scene.network().pe(pe).activities().empty());
  }
  CHECK(alive == 0);
}

}  // namespace kaon::testing::table_ends

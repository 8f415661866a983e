// SPDX-License-Identifier: Apache-2.0
// What comes to a PE before it hears of the array that this is about.
#include "kaon/chares/lifecycle/creation.hpp"

#include <cstddef>
#include <string>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::creations {

enum class Deed { none, contribute, die };
Deed deed = Deed::none;  // what the last element does as soon as it is there
int contributed = 0;     // what it got
int taken = 0;

class Early : public Chare<Early> {
 public:
  Early() { self().send<&Early::begin>(); }  // what that sends is not in one batch with the array's creation
  Task<> begin() {
    if (index().x + 1 != array().shape().x) co_return;
    if (deed == Deed::contribute) contributed = co_await contribute(sum, 7);
    if (deed == Deed::die) destroy();
  }
  Task<int> agree() { co_return co_await contribute(sum, 1); }
  void take(int value) { taken += value; }
  int answer() const { return 1; }
};

constexpr CollectionId kOnlyArray = 1;

/// A run of two processes, of which one makes an array that the other does not hear of before let_it_come().
class HeldCreation {
 public:
  HeldCreation(PeId maker, int count, Deed what) {
    deed = what;
    contributed = taken = 0;
    scene.start([count](Runtime& runtime) -> Task<> { co_await runtime.create<Early>(count); }, maker);
    while (network().pe(maker).collections().find(kOnlyArray) == nullptr) {
      network().wire().deliver_next();
      for (PeId pe = 0; pe < 2; ++pe) network().run(pe, 1);
    }
    for (const LoopbackNetwork::Parcel& parcel : network().wire().pending())
      if (parcel.from == maker && parcel.kind == LoopbackNetwork::Kind::data) creation_ = parcel.bytes.data();
    REQUIRE(creation_ != nullptr);
    network().wire().hold([this](const LoopbackNetwork::Parcel& parcel) { return parcel.bytes.data() == creation_; });
    network().set_order(LoopbackNetwork::Order::any);
    network().run_until_idle();
    REQUIRE(network().wire().pending().size() == 1);  // all else has overtaken it
    CHECK(network().pe(1 - maker).collections().find(kOnlyArray) == nullptr);
  }
  Network& network() { return scene.network(); }
  void let_it_come() {
    network().wire().hold({});
    network().run_until_idle();
    CHECK(scene.all_ended());
  }

  Scene scene{{2, 1}};

 private:
  const std::byte* creation_ = nullptr;
};

Proxy<Early> array_of(int count) { return {kOnlyArray, Shape(count)}; }

Task<> use_early(Runtime&) {
  const Proxy<Early> early = array_of(2);
  for (int i = 0; i < 2; ++i) early[i].send<&Early::take>(1);
  early.broadcast<&Early::take>(10);
  co_await early[1].ready();
  const int first = co_await early[0].call<&Early::answer>();
  const int all = co_await early.call_all<&Early::agree>(sum);
  taken += 100 * first + 1000 * all;
}

Task<> agree_later(Runtime& runtime) {
  co_await runtime.quiescence();
  const int total = co_await array_of(1).call_all<&Early::agree>(sum);
  CHECK(total == 1);
}

/// Which cannot be, as the other is gone.
Task<> agree_with_the_other(Runtime& runtime) {
  co_await runtime.quiescence();
  co_await array_of(2)[0].call<&Early::agree>();
}

TEST_CASE("a proxy is used before its array is there, and what was sent waits for it", "[chares][creation]") {
  HeldCreation run(0, 2, Deed::none);
  run.scene.start(use_early, 1);
  run.network().run_until_idle();
  CHECK(taken == 10);  // by the other PE, which has it and is sent to at once
  CHECK_FALSE(run.scene.all_ended());
  run.let_it_come();
  CHECK(taken == 2 + 20 + 100 + 2 * 2 * 1000);
}

TEST_CASE("what only an array that is there can say is refused before", "[chares][creation]") {
  HeldCreation run(0, 2, Deed::none);
  run.network().on(1, [](Pe&) {
    const std::string text = thrown<UsageError>([] { static_cast<void>(array_of(2)[1].index()); });
    CHECK(has(text, "which has yet to make it"));
  });
  run.let_it_come();
}

TEST_CASE("the result of a reduction waits where its array is not there yet", "[chares][creation]") {
  HeldCreation run(0, 1, Deed::contribute);
  CHECK(contributed == 7);
  run.let_it_come();
  run.scene.run(agree_later, 1);
}

TEST_CASE("news of an element's end wait where its array is not there yet", "[chares][creation]") {
  HeldCreation run(1, 2, Deed::die);
  run.let_it_come();
  CHECK(has(thrown<UsageError>([&] { run.scene.run(agree_with_the_other); }), "use call_all() instead"));
}

}  // namespace kaon::testing::creations

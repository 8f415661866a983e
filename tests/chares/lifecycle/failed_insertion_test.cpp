// SPDX-License-Identifier: Apache-2.0
// Insertions whose arguments cannot be packed, at their beginning and where they go on to another PE.
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::failed_insertions {

int packings_left = -1;  // before one fails
void reset() { packings_left = -1; }

struct Brittle {
  std::string text = "longer than what a string has room for";
  template <class Archive>
  void pup(Archive& archive) {
    archive(text);
    if constexpr (Archive::is_saving)
      if (packings_left-- == 0) throw std::domain_error("it broke");
  }
};

class Saucer : public Chare<Saucer> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  void go(PeId to) { migrate_to(to); }
};

class Cup : public Chare<Cup> {
 public:
  Cup() = default;
  explicit Cup(Brittle) {}
  template <class Archive>
  void pup(Archive&) {}
  int one() const { return 1; }
  Task<int> count() { co_return co_await contribute(sum, 1); }
};

/// Again and again, until none of its packings fails.
Task<> insert_at_last(const Proxy<Cup>& cups, int index, std::optional<PeId> to) {
  for (int failing = 0;; ++failing) {
    packings_left = failing;
    try {
      if (to)
        co_await cups[index].insert_on_and_wait(*to, Brittle());
      else
        co_await cups[index].insert_and_wait(Brittle());
      packings_left = -1;
      co_return;
    } catch (const std::domain_error&) {
      CHECK(packings_left < 0);
    }
  }
}

constexpr int kCups = 12;

Task<> check_that_all_are_there(const Proxy<Cup>& cups) {
  for (int i = 0; i < kCups; ++i) {
    const int one = co_await cups[i].call<&Cup::one>();
    CHECK(one == 1);
  }
  const int all = co_await cups.call_all<&Cup::count>(max);  // a reduction, of those that are there
  CHECK(all == kCups);
}

Task<> insert_what_breaks(Runtime& runtime) {
  const auto cups = co_await runtime.create_sparse<Cup>();
  for (int i = 0; i < kCups; ++i) co_await insert_at_last(cups, i, static_cast<PeId>(i / 2) % runtime.pes());
  co_await check_that_all_are_there(cups);
}

/// To where the saucer is, which it may have to look for.
Task<> insert_what_breaks_beside_another(Runtime& runtime) {
  const auto saucers = co_await runtime.create_sparse<Saucer>();
  const auto cups = co_await runtime.create_bound<Cup>(saucers);
  for (int i = 0; i < kCups; ++i) {
    co_await saucers[i].insert_on_and_wait(static_cast<PeId>(i) % runtime.pes());
    if (i % 3 == 0) co_await insert_at_last(cups, i, std::nullopt);
    co_await saucers[i].call<&Saucer::go>(static_cast<PeId>(i / 2) % runtime.pes());
    if (i % 3 != 0) co_await insert_at_last(cups, i, std::nullopt);
  }
  co_await check_that_all_are_there(cups);
}

TEST_CASE("an insertion that cannot be packed comes to nothing, and may be repeated", "[chares][sparse]") {
  run_everywhere(insert_what_breaks, &reset);
  run_everywhere(insert_what_breaks_beside_another, &reset);
}

/// From the home of an index to another PE.
TEST_CASE("an insertion that cannot be sent on and that nobody awaits ends the run", "[chares][sparse]") {
  packings_left = 0;
  Scene scene({2, 1});
  CHECK_THROWS_AS(scene.run(
                      [](Runtime& runtime) -> Task<> {
                        const auto cups = co_await runtime.create_sparse<Cup>();
                        for (int i = 0; i < kCups; ++i) cups[i].insert_on(0, Brittle());
                        co_await runtime.quiescence();
                      },
                      1),
                  std::domain_error);
  packings_left = -1;
}

enum class Deed : int { end, move, contribute, rebalance };

/// Has begun something, when its constructor throws.
class Fickle : public Chare<Fickle> {
 public:
  Fickle() = default;
  explicit Fickle(Deed deed, Callback<int> told) {
    if (deed == Deed::end) destroy();
    if (deed == Deed::move) migrate_to((pe() + 1) % this_runtime().pes());
    if (deed == Deed::contribute) contribute(sum, 1, told);
    if (deed == Deed::rebalance) rebalance_then<&Fickle::go_on>();
    throw std::domain_error("it is not made");
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(steps_);
  }
  int one() const { return 1; }
  void tell(Callback<int> told) { contribute(sum, 1, told); }
  void step() { rebalance_then<&Fickle::go_on>(); }
  void go_on() { ++steps_; }
  int steps() const { return steps_; }

 private:
  int steps_ = 0;
};

Task<> insert_who_fails(Proxy<Fickle> fickle, int index, Deed deed, Callback<int> told) {
  std::string said;
  try {
    co_await fickle[index].insert_and_wait(deed, told);
  } catch (const std::domain_error& error) {
    said = error.what();
  }
  CHECK(said == "it is not made");
}

/// A value that one has contributed before it failed stays.
Task<> contribute_and_fail(Runtime& runtime) {
  const auto fickle = co_await runtime.create_sparse<Fickle>();
  for (int i = 0; i < 4; ++i) co_await fickle[i].insert_and_wait();
  const Future<int> told = runtime.future<int>();
  co_await insert_who_fails(fickle, 9, Deed::contribute, told.callback());
  fickle.broadcast<&Fickle::tell>(told.callback());
  const int all = co_await told;
  CHECK(all == 5);
  const Future<int> later = runtime.future<int>();
  fickle.broadcast<&Fickle::tell>(later.callback());
  const int without = co_await later;
  CHECK(without == 4);
}

Task<> wait_for_balance_and_fail(Runtime& runtime) {
  const auto fickle = co_await runtime.create_sparse<Fickle>();
  co_await runtime.balance(fickle, strategies::rotate);
  for (int i = 0; i < 4; ++i) co_await fickle[i].insert_and_wait();
  co_await insert_who_fails(fickle, 9, Deed::rebalance, {});
  for (int step = 0; step < 2; ++step) {
    fickle.broadcast<&Fickle::step>();
    co_await runtime.quiescence();
  }
  const int steps = co_await fickle.call_all<&Fickle::steps>(min);
  CHECK(steps == 2);
}

TEST_CASE("who begins a reduction or a step of balancing in a constructor that throws has no part in later ones",
          "[chares][sparse][census][balancing]") {
  run_everywhere(contribute_and_fail);
  run_everywhere(wait_for_balance_and_fail);
}

TEST_CASE("who asks to go in a constructor that throws is not there, and may be inserted again", "[chares][sparse]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto fickle = co_await runtime.create_sparse<Fickle>();
    for (int i = 0; i < 8; ++i) {
      co_await insert_who_fails(fickle, i, i % 2 == 0 ? Deed::end : Deed::move, {});
      co_await fickle[i].insert_and_wait();
    }
    for (int i = 0; i < 8; ++i) {
      const int one = co_await fickle[i].call<&Fickle::one>();
      CHECK(one == 1);
    }
  });
}

/// Can be packed on one PE alone.
struct Local {
  std::string text = "x";
  bool is_local = true;
  PeId pe = 0;
  template <class Archive>
  void pup(Archive& archive) {
    archive(text, is_local, pe);
    if constexpr (Archive::is_saving)
      if (is_local && this_runtime().pe() != pe) throw std::domain_error("it broke");
  }
};

/// Has contributed when it has inserted children, of which none is made.
class Parent : public Chare<Parent> {
 public:
  Parent() = default;
  explicit Parent(const Local&) { throw std::domain_error("it is not made"); }
  Task<int> agree(int children, std::chrono::microseconds pause) {
    for (int child = 0; child < children; ++child) {
      co_await this_runtime().sleep_for(pause);
      const PeId to = (pe() + 1 + static_cast<PeId>(child)) % this_runtime().pes();
      try {
        Local what;
        what.pe = pe();
        co_await Proxy<Parent>(array())[1000 + child].insert_on_and_wait(to, what);
      } catch (const std::domain_error&) {
      }
    }
    co_return co_await contribute(sum, 1);
  }
};

Task<int> sum_of(Element<Parent> parent, int children, std::uint64_t pause_us) {
  co_return co_await parent.call<&Parent::agree>(children, std::chrono::microseconds(pause_us));
}

/// A wave of the census passes while children are counted on one PE and fail on another: in one of some hundred orders
/// it meets the end of one on a PE that it comes to later than to the one where that was counted.
TEST_CASE("reductions wait for who inserts what cannot be made", "[chares][sparse][census]") {
  for (std::uint64_t seed = 1; seed <= 350; ++seed) {
    for (const int children : {1, 2, 3}) {
      INFO("seed " << seed << ", " << children << " children");
      Scene scene({6, 1}, default_options(), seed);
      scene.network().set_order(LoopbackNetwork::Order::any);
      scene.run([seed, children](Runtime& runtime) -> Task<> {
        const auto parents = co_await runtime.create_sparse<Parent>();
        for (int i = 0; i < 2; ++i) co_await parents[i].insert_on_and_wait(0);
        std::vector<Task<int>> sums;
        for (int i = 0; i < 2; ++i) sums.push_back(sum_of(parents[i], i == 0 ? children : 0, seed % 60));
        for (const int each : co_await all(std::move(sums))) CHECK(each == 2);
      });
    }
  }
}

}  // namespace kaon::testing::failed_insertions

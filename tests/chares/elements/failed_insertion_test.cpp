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

/// Has asked to go, when its constructor throws.
class Fickle : public Chare<Fickle> {
 public:
  Fickle() = default;
  explicit Fickle(bool would_end) {
    if (would_end)
      destroy();
    else
      migrate_to((pe() + 1) % this_runtime().pes());
    throw std::domain_error("it is not made");
  }
  template <class Archive>
  void pup(Archive&) {}
  int one() const { return 1; }
};

TEST_CASE("who asks to go in a constructor that throws is not there, and may be inserted again", "[chares][sparse]") {
  run_everywhere([](Runtime& runtime) -> Task<> {
    const auto fickle = co_await runtime.create_sparse<Fickle>();
    for (int i = 0; i < 8; ++i) {
      std::string said;
      try {
        co_await fickle[i].insert_and_wait(i % 2 == 0);
      } catch (const std::domain_error& error) {
        said = error.what();
      }
      CHECK(said == "it is not made");
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

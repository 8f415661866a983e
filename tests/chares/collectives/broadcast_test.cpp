// SPDX-License-Identifier: Apache-2.0
// Broadcasts to so many elements of a PE that they take several turns, in which elements leave and arrays end.
#include "kaon/chares/collectives/broadcast.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::broadcasts {

constexpr int kMany = 4000;
std::vector<int> got;  // by element, how often it ran
void reset() { got.assign(kMany, 0); }

int packings_left = 0;  // before one fails

struct Brittle {
  template <class Archive>
  void pup(Archive&) {
    if constexpr (Archive::is_saving)
      if (packings_left-- == 0) throw std::domain_error("it broke");
  }
};

struct Stone {
  template <class Archive>
  void pup(Archive&) {
    if constexpr (Archive::is_saving) throw std::domain_error("it stays here");
  }
};

int copies_left = -1;  // before one fails

/// So large that it is packed apart, where its packing may fail a second time.
struct Delicate {
  Delicate() = default;
  Delicate(const Delicate& other) : feathers(other.feathers) {
    if (copies_left-- == 0) throw std::domain_error("it broke");
  }
  Delicate(Delicate&&) = default;
  Delicate& operator=(const Delicate&) = delete;
  Delicate& operator=(Delicate&&) = default;
  template <class Archive>
  void pup(Archive& archive) {
    archive(feathers);
    if constexpr (Archive::is_saving)
      if (packings_left-- == 0) throw std::domain_error("it broke");
  }
  std::vector<std::vector<int>> feathers = std::vector<std::vector<int>>(100, std::vector<int>(100));
};

class Bird : public Chare<Bird> {
 public:
  template <class Archive>
  void pup(Archive&) {}

  void go(PeId to) { migrate_to(to); }
  void take_and_go(PeId to) {
    ++got[static_cast<std::size_t>(index().x)];
    migrate_to(to);
  }
  void take() { ++got[static_cast<std::size_t>(index().x)]; }
  int answer() const { return 1; }
  void take_brittle(const Brittle&) { ++got[static_cast<std::size_t>(index().x)]; }
  void take_stone(const Stone&) {}
  void take_delicate(const Delicate&) {}
  Task<> keep_delicate(Delicate) { co_return; }
  int end_all_and_answer() {
    if (index().x == 0) array().destroy();
    return 1;
  }
};

/// All that are at home on the last PE visit the first; from there they leave as the broadcast comes to them.
Task<> leave_as_a_broadcast_comes(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(kMany);
  const PeId last = runtime.pes() - 1;
  for (int i = kMany / 2; i < kMany; ++i) birds[i].send<&Bird::go>(0);
  co_await runtime.quiescence();
  birds.broadcast<&Bird::take_and_go>(last);
  co_await runtime.quiescence();
  CHECK(std::count(got.begin(), got.end(), 0) == 0);
  CHECK_AWAITED(birds.call_all<&Bird::answer>(sum), kMany);
}

Task<> destroy_during_call_all(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(kMany);
  bool has_failed = false;
  try {
    co_await birds.call_all<&Bird::end_all_and_answer>(sum);
  } catch (const UsageError&) {
    has_failed = true;
  }
  CHECK(has_failed);
  co_await runtime.quiescence();
}

Task<> broadcast_after_destroy(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(kMany);
  birds.destroy();
  birds.broadcast<&Bird::take>();
  co_await runtime.quiescence();
  CHECK(std::count(got.begin(), got.end(), 0) == kMany);
}

/// Whichever PE of the tree cannot pack the argument.
Task<> call_with_brittle(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(16);
  int failed = 0;
  for (int packings = 0; packings < 7; ++packings) {
    packings_left = packings;
    try {
      co_await birds.call_all_and_wait<&Bird::take_brittle>(Brittle());
    } catch (const std::domain_error&) {
      ++failed;
    }
    co_await runtime.quiescence();
  }
  CHECK(failed == 7);
  packings_left = -1;
  reset();
  co_await birds.call_all_and_wait<&Bird::take_brittle>(Brittle());
  CHECK(std::count(got.begin(), got.end(), 1) == 16);
}

/// No PE can pack it, so that the sender hears of several failures.
Task<> call_with_stone(Runtime& runtime) {
  const auto birds = co_await runtime.create<Bird>(16);
  bool has_failed = false;
  try {
    co_await birds.call_all_and_wait<&Bird::take_stone>(Stone());
  } catch (const std::domain_error&) {
    has_failed = true;
  }
  CHECK(has_failed);
  co_await runtime.quiescence();
}

/// How many calls fail when one packing, or copying, after the other does, until none does. Some elements have moved.
template <auto E>
Task<> call_with_delicate(Runtime& runtime, int& left, bool is_weighed) {
  const Proxy<Bird> birds = co_await runtime.create<Bird>(16);
  for (int i = 0; i < 16; i += 3) birds[i].template send<&Bird::go>((static_cast<PeId>(i) + 1) % runtime.pes());
  co_await runtime.quiescence();
  packings_left = copies_left = -1;
  for (int failing = 0; left < 0; ++failing) {
    bool has_failed = false;
    left = failing;
    try {
      co_await birds.template call_all_and_wait<E>(Delicate());
    } catch (const std::domain_error&) {
      has_failed = true;
    }
    co_await runtime.quiescence();
    if (!is_weighed) CHECK(has_failed == (left < 0));
    CHECK(failing < 300);
  }
  packings_left = copies_left = -1;
}

}  // namespace kaon::testing::broadcasts

namespace tb = kaon::testing::broadcasts;
using kaon::testing::Network;
using kaon::testing::Scene;

TEST_CASE("a broadcast passes over no element because others leave", "[chares][broadcast]") {
  tb::reset();
  Scene({2, 1}).run(tb::leave_as_a_broadcast_comes);
}

TEST_CASE("a call of all elements that their array's end overtakes fails", "[chares][broadcast]") {
  const Network::Shape shape = GENERATE(Network::Shape(1, 1), Network::Shape(2, 1));
  Scene(shape).run(tb::destroy_during_call_all);
}

TEST_CASE("a broadcast to an array that is being destroyed reaches nobody", "[chares][broadcast]") {
  tb::reset();
  Scene({1, 1}).run(tb::broadcast_after_destroy);
}

TEST_CASE("an argument that a PE of the tree cannot pack is an error of the call of all", "[chares][broadcast]") {
  tb::reset();
  Scene({8, 1}).run(tb::call_with_brittle);
}

TEST_CASE("an argument that no PE can pack is one error of the call of all", "[chares][broadcast]") {
  Scene({4, 1}).run(tb::call_with_stone);
  const auto packs_all = kaon::testing::with(&kaon::Options::serialize_always, true);
  const Network::Shape shape = GENERATE(Network::Shape(1, 1), Network::Shape(1, 4), Network::Shape(2, 2));
  Scene(shape, packs_all).run(tb::call_with_stone);
}

TEST_CASE("whatever cannot be packed or copied of a call of all is its error, wherever that is",
          "[chares][broadcast]") {
  kaon::Options options = kaon::testing::default_options();
  options.serialize_always = GENERATE(false, true);
  const Network::Shape shape = GENERATE(Network::Shape(1, 2), Network::Shape(5, 1), Network::Shape(3, 2));
  int* const left = GENERATE(&tb::packings_left, &tb::copies_left);
  // what is handed over within a process is packed to be weighed, and goes all the same
  const bool is_weighed = left == &tb::packings_left && shape.pes_per_process > 1;
  Scene(shape, options).run([&](kaon::Runtime& runtime) {
    return tb::call_with_delicate<&tb::Bird::take_delicate>(runtime, *left, is_weighed);
  });
  Scene(shape, options).run([&](kaon::Runtime& runtime) {
    return tb::call_with_delicate<&tb::Bird::keep_delicate>(runtime, *left, is_weighed);
  });
}

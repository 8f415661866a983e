// SPDX-License-Identifier: Apache-2.0
// Elements that are to leave while a message that has landed in them waits behind all else.
#include "kaon/chares/migration/departure.hpp"

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::departures {

constexpr std::size_t kSmall = 10, kLarge = 5000;  // within the message, and beside it
int alive = 0;
int landed = 0;

class Lander : public Chare<Lander> {
 public:
  Lander() { ++alive; }
  ~Lander() { --alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(memory_);
  }

  void take(Payload<int> values) { landed += values.view().data() == memory_.data() && values.view().back() == 7; }
  Landing post(PostFor<&Lander::take>, const Payload<int>&) { return Landing::into(std::span(memory_)); }
  void go() { migrate_to(0); }
  void die() { destroy(); }
  PeId where() { return pe(); }

 private:
  std::vector<int> memory_ = std::vector<int>(kLarge);
};

/// The first four live on PE 0, the others on PE 1.
template <auto kLeave>
Task<Proxy<Lander>> leave_late(Runtime& runtime) {
  landed = 0;
  const Proxy<Lander> landers = co_await runtime.create<Lander>(8);
  int element = 4;
  for (const std::size_t size : {kSmall, kLarge})
    for (const int priority : {1, std::numeric_limits<int>::max()}) {
      landers[element].with_priority(priority).send<&Lander::take>(Payload<int>(std::vector<int>(size, 7)));
      landers[element++].send<kLeave>();
    }
  co_await runtime.quiescence();
  CHECK(landed == 4);
  co_return landers;
}

Task<> move_late(Runtime& runtime) {
  const auto landers = co_await leave_late<&Lander::go>(runtime);
  const PeId farthest = co_await landers.call_all<&Lander::where>(max);
  CHECK(farthest == 0);
}

Task<> die_late(Runtime& runtime) {
  co_await leave_late<&Lander::die>(runtime);
  CHECK(alive == 4);
}

TEST_CASE("an element moves when what has landed in it was run, however late that is", "[chares][departure]") {
  Scene({2, 1}).run(departures::move_late);
}

TEST_CASE("an element is destroyed when what has landed in it was run, however late that is", "[chares][departure]") {
  Scene({2, 1}).run(departures::die_late);
}

}  // namespace kaon::testing::departures

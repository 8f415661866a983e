// SPDX-License-Identifier: Apache-2.0
// Work that runs many pieces or entries in its turn of the loop: when it gives way.
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <utility>

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::giving_way {

int ran = 0;

/// Goes over to those like it that stand behind it.
struct Strand : Work {
  explicit Strand(std::function<void(Pe&)> act = {}) : action(std::move(act)) { run = &go; }
  static void go(Work& first, Pe& pe) {
    for (Work* work = &first; work != nullptr; work = pe.take_next(&go)) {
      ++ran;
      if (const auto& act = static_cast<Strand&>(*work).action) act(pe);
    }
  }
  std::function<void(Pe&)> action;
};

struct Urgent : Work {
  Urgent() {
    run = [](Work& self, Pe&) { static_cast<Urgent&>(self).ran_behind = ran; };
    priority = std::numeric_limits<std::int32_t>::min();
  }
  int ran_behind = -1;
};

TEST_CASE("who goes over from piece to piece takes no more than the turn has", "[runtime][turn]") {
  Network network({1, 1});
  std::deque<Strand> strands(10);
  ran = 0;
  network.on(0, [&](Pe& pe) {
    for (Strand& each : strands) pe.enqueue(each);
  });
  network.run(0, 3);
  CHECK(ran == 3);
  network.run(0, 1);
  CHECK(ran == 4);
  network.run(0);
  CHECK(ran == 10);
}

TEST_CASE("who goes over from piece to piece gives way to what another thread pushes", "[runtime][turn]") {
  Network network({1, 1});
  Urgent urgent;
  Strand first([&](Pe& pe) { pe.push(urgent); }), second;
  ran = 0;
  network.on(0, [&](Pe& pe) {
    pe.enqueue(first);
    pe.enqueue(second);
  });
  network.run(0);
  CHECK(ran == 2);
  CHECK(urgent.ran_behind == 1);
}

TEST_CASE("who runs many entries gives way to what is urgent, wherever it is from, and to nothing else",
          "[runtime][turn]") {
  Network network({1, 1});
  Urgent own, pushed;
  Strand other;
  network.on(0, [&](Pe& pe) {
    CHECK_FALSE(pe.must_give_way());
    pe.enqueue(other);
    CHECK_FALSE(pe.must_give_way());
    pe.push(pushed);
    CHECK(pe.must_give_way());
  });
  network.run(0);
  network.on(0, [&](Pe& pe) {
    CHECK_FALSE(pe.must_give_way());
    pe.enqueue(own);
    CHECK(pe.must_give_way());
  });
  network.run(0);
  CHECK(own.ran_behind >= 0);
  CHECK(pushed.ran_behind >= 0);
}

}  // namespace kaon::testing::giving_way

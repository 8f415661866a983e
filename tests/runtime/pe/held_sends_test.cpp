// SPDX-License-Identifier: Apache-2.0
// What a PE holds for other PEs until there is more of it.
#include <chrono>

#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

struct Counted : Work {
  int runs = 0;
  Counted() {
    run = [](Work& self, Pe&) { ++static_cast<Counted&>(self).runs; };
  }
};

/// Is always ready.
struct Busy : Work {
  bool is_over = false;
  Busy() {
    run = [](Work& self, Pe& pe) {
      if (!static_cast<Busy&>(self).is_over) pe.enqueue(self);
    };
  }
};

}  // namespace

TEST_CASE("what is held leaves when the PE has nothing else to run", "[pe]") {
  Network network({1, 1});
  Counted sends, other;
  network.on(0, [&](Pe& pe) {
    pe.held_sends().add(sends);
    pe.enqueue(other);
  });
  CHECK(sends.runs == 0);
  network.run(0);
  CHECK(other.runs == 1);
  CHECK(sends.runs == 1);
  network.run(0);
  CHECK(sends.runs == 1);
}

TEST_CASE("what is held leaves by and by although the PE is never idle", "[pe]") {
  Network network({1, 1});
  Counted sends;
  Busy busy;
  network.on(0, [&](Pe& pe) {
    pe.held_sends().add(sends);
    pe.enqueue(busy);
  });
  network.run(0, 200);
  network.run(0, 200);
  CHECK(sends.runs == 0);
  network.pass(std::chrono::milliseconds(1));
  network.run(0, 200);
  CHECK(sends.runs == 1);
  busy.is_over = true;
  network.run_all();
  CHECK(sends.runs == 1);
}

}  // namespace kaon::testing

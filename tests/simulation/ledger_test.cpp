// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/ledger.hpp"

#include "tests/support/catch.hpp"

using kaon::testing::simulation::Fault;
using kaon::testing::simulation::Ledger;
using kaon::testing::simulation::Life;

TEST_CASE("a ledger finds a message that comes twice, and one that nobody sent", "[simulation]") {
  Ledger ledger;
  const Ledger::Id id = ledger.expect("a letter");
  ledger.arrive(id);
  ledger.require_all(ledger.mark());
  CHECK_THROWS_AS(ledger.arrive(id), Fault);
  CHECK_THROWS_AS(ledger.arrive(id + 1), Fault);
}

TEST_CASE("a ledger finds what has not come, up to a mark", "[simulation]") {
  Ledger ledger;
  ledger.arrive(ledger.expect("a letter"));
  const Ledger::Id mark = ledger.mark();
  const Ledger::Id late = ledger.expect("another letter");
  ledger.require_all(mark);
  CHECK_THROWS_AS(ledger.require_all(ledger.mark()), Fault);
  ledger.arrive(late);
  ledger.require_all(ledger.mark());
}

TEST_CASE("a ledger knows who must get a broadcast, and that others get it once", "[simulation]") {
  Ledger ledger;
  const Life one{0, 1, 0}, other{0, 2, 0}, guest{0, -1, 3};
  const Ledger::Id id = ledger.expect_each("a broadcast", {one, other});
  ledger.arrive_at(id, one);
  ledger.arrive_at(id, guest);
  CHECK_THROWS_AS(ledger.arrive_at(id, guest), Fault);
  CHECK_THROWS_AS(ledger.arrive_at(id, one), Fault);
  CHECK_THROWS_AS(ledger.require_all(ledger.mark()), Fault);
  ledger.arrive_at(id, other);
  ledger.require_all(ledger.mark());
  CHECK_THROWS_AS(ledger.arrive(id), Fault);
}

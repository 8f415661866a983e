// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/reply_table.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

struct Waiter final : ReplyWaiter {
  void replied(void* value) override { got = value; }
  void* got = nullptr;
};

}  // namespace

TEST_CASE("a reply finds its waiter once", "[runtime][reply_table]") {
  ReplyTable table;
  Waiter waiter;
  const ReplyTo to = table.open(waiter);
  CHECK(to);
  CHECK(table.open_calls() == 1);
  CHECK(table.close(to) == &waiter);
  CHECK(table.open_calls() == 0);
  CHECK(table.close(to) == nullptr);
  CHECK(table.open_calls() == 0);
}

TEST_CASE("a late reply does not reach the next waiter of its slot", "[runtime][reply_table]") {
  ReplyTable table;
  Waiter first, second;
  const ReplyTo old = table.open(first);
  CHECK(table.close(old) == &first);
  const ReplyTo to = table.open(second);
  CHECK(to.slot == old.slot);
  CHECK(to.generation != old.generation);
  CHECK(table.close(old) == nullptr);
  CHECK(table.close(to) == &second);
}

TEST_CASE("replies come in any order", "[runtime][reply_table]") {
  ReplyTable table;
  Waiter waiters[3];
  const ReplyTo to[] = {table.open(waiters[0]), table.open(waiters[1]), table.open(waiters[2])};
  for (const int i : {1, 2, 0}) CHECK(table.close(to[i]) == &waiters[i]);
  CHECK(table.open_calls() == 0);
}

TEST_CASE("a waiter that goes leaves its slot to the reply that is under way", "[runtime][reply_table]") {
  ReplyTable table;
  Waiter gone, other;
  const ReplyTo to = table.open(gone);
  table.abandon(to);
  CHECK(table.open(other).slot != to.slot);
  CHECK(table.close(to) == nullptr);
  CHECK(table.open_calls() == 1);
}

TEST_CASE("replies that name no call of ours reach nobody", "[runtime][reply_table]") {
  ReplyTable table;
  Waiter waiter;
  const ReplyTo to = table.open(waiter);
  CHECK(table.close({to.slot + 1, to.generation}) == nullptr);
  CHECK(table.close({~0u, to.generation}) == nullptr);
  CHECK(table.close({to.slot, to.generation + 1}) == nullptr);
  CHECK(table.close(ReplyTo{}) == nullptr);
  CHECK(table.close(to) == &waiter);
}

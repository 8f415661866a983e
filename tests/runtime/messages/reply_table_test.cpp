// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/reply_table.hpp"

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

struct Receiver : Work {
  Result<int> result;
};

}  // namespace

TEST_CASE("a reply finds its receiver once", "[runtime][reply_table]") {
  ReplyTable table;
  Receiver receiver;
  const ReplyTo to = table.open(receiver, receiver.result);
  CHECK(to);
  CHECK(table.open_calls() == 1);
  const auto closed = table.close<int>(to);
  CHECK(closed.is_expected);
  CHECK(closed.receiver == &receiver);
  CHECK(closed.result == &receiver.result);
  CHECK(table.open_calls() == 0);
  CHECK_FALSE(table.close<int>(to).is_expected);
  CHECK(table.open_calls() == 0);
}

TEST_CASE("a late reply does not reach the next receiver of its slot", "[runtime][reply_table]") {
  ReplyTable table;
  Receiver first, second;
  const ReplyTo old = table.open(first, first.result);
  CHECK(table.close<int>(old).receiver == &first);
  const ReplyTo to = table.open(second, second.result);
  CHECK(to.slot == old.slot);
  CHECK(to.generation != old.generation);
  CHECK_FALSE(table.close<int>(old).is_expected);
  CHECK(table.close<int>(to).receiver == &second);
}

TEST_CASE("replies come in any order", "[runtime][reply_table]") {
  ReplyTable table;
  Receiver receivers[3];
  ReplyTo to[3];
  for (int i = 0; i < 3; ++i) to[i] = table.open(receivers[i], receivers[i].result);
  for (const int i : {1, 2, 0}) CHECK(table.close<int>(to[i]).receiver == &receivers[i]);
  CHECK(table.open_calls() == 0);
}

TEST_CASE("a receiver that goes leaves its slot to the reply that is under way", "[runtime][reply_table]") {
  ReplyTable table;
  Receiver gone, other;
  const ReplyTo to = table.open(gone, gone.result);
  table.abandon(to);
  CHECK(table.open(other, other.result).slot != to.slot);
  const auto closed = table.close<int>(to);
  CHECK(closed.is_expected);
  CHECK(closed.receiver == nullptr);
  CHECK(table.open_calls() == 1);
}

TEST_CASE("replies that name no call of ours, or bring another type, reach nobody", "[runtime][reply_table]") {
  ReplyTable table;
  Receiver receiver;
  const ReplyTo to = table.open(receiver, receiver.result);
  CHECK_FALSE(table.close<int>({to.slot + 1, to.generation}).is_expected);
  CHECK_FALSE(table.close<int>({~0u, to.generation}).is_expected);
  CHECK_FALSE(table.close<int>({to.slot, to.generation + 1}).is_expected);
  CHECK_FALSE(table.close<int>(ReplyTo{}).is_expected);
  CHECK_FALSE(table.close<double>(to).is_expected);
  CHECK(table.close<int>(to).receiver == &receiver);
}

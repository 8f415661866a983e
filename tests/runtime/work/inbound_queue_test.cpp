// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/inbound_queue.hpp"

#include <array>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

std::vector<Work*> take(InboundQueue& queue) {
  std::vector<Work*> taken;
  for (Work* work = queue.take_all(); work != nullptr; work = work->next) taken.push_back(work);
  return taken;
}

}  // namespace

TEST_CASE("Work is taken oldest first, all at once", "[runtime][inbound_queue]") {
  InboundQueue queue;
  std::array<Work, 3> works;
  CHECK_FALSE(queue.has_work());
  for (Work& work : works) CHECK_FALSE(queue.push(work));
  CHECK(queue.has_work());
  CHECK(take(queue) == std::vector<Work*>{&works[0], &works[1], &works[2]});
  CHECK_FALSE(queue.has_work());
  CHECK(take(queue).empty());
}

TEST_CASE("only the first push to a sleeper must wake it", "[runtime][inbound_queue]") {
  InboundQueue queue;
  std::array<Work, 2> works;
  REQUIRE(queue.try_sleep());
  CHECK_FALSE(queue.has_work());
  CHECK(queue.push(works[0]));
  CHECK_FALSE(queue.push(works[1]));
  CHECK(queue.wake());
  CHECK(take(queue) == std::vector<Work*>{&works[0], &works[1]});
}

TEST_CASE("who has Work does not fall asleep", "[runtime][inbound_queue]") {
  InboundQueue queue;
  Work work;
  CHECK_FALSE(queue.push(work));
  CHECK_FALSE(queue.try_sleep());
  CHECK(take(queue).size() == 1);
  CHECK(queue.try_sleep());
}

TEST_CASE("a sleeper that wakes by itself was not pushed to", "[runtime][inbound_queue]") {
  InboundQueue queue;
  Work work;
  REQUIRE(queue.try_sleep());
  CHECK_FALSE(queue.wake());
  CHECK(take(queue).empty());
  CHECK_FALSE(queue.push(work));  // awake again: nobody need signal
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/run_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

std::vector<Work> make_work(const std::vector<int>& priorities) {
  std::vector<Work> works(priorities.size());
  for (std::size_t i = 0; i < works.size(); ++i) works[i].priority = priorities[i];
  return works;
}

// The places in `works` in the order in which the queue gives them out.
std::vector<std::size_t> drain(RunQueue& queue, const std::vector<Work>& works) {
  std::vector<std::size_t> order;
  while (const Work* work = queue.pop()) order.push_back(static_cast<std::size_t>(work - works.data()));
  return order;
}

}  // namespace

TEST_CASE("an empty run queue gives nothing", "[runtime][run_queue]") {
  RunQueue queue;
  CHECK(queue.empty());
  CHECK(queue.size() == 0);
  CHECK(queue.pop() == nullptr);
  CHECK(queue.peek(0) == nullptr);
}

TEST_CASE("smaller priorities run first, equal ones in order of arrival", "[runtime][run_queue]") {
  auto works = make_work({0, 5, -3, 0, 5, -3, 7, 0});
  RunQueue queue;
  for (Work& work : works) queue.push(work);
  CHECK(queue.size() == works.size());
  CHECK(drain(queue, works) == std::vector<std::size_t>{2, 5, 0, 3, 7, 1, 4, 6});
  CHECK(queue.empty());
}

TEST_CASE("the run queue orders as a stable sort does", "[runtime][run_queue]") {
  std::mt19937_64 random(7);
  std::vector<int> priorities(2000);
  for (int& priority : priorities) priority = random() % 2 ? 0 : static_cast<int>(random() % 9) - 4;
  auto works = make_work(priorities);
  RunQueue queue;
  for (Work& work : works) queue.push(work);
  std::vector<std::size_t> expected(works.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::size_t a, std::size_t b) { return priorities[a] < priorities[b]; });
  CHECK(drain(queue, works) == expected);
}

TEST_CASE("the run queue grows while its ring is wrapped around", "[runtime][run_queue]") {
  auto works = make_work(std::vector<int>(10'000, 0));
  RunQueue queue;
  std::size_t pushed = 0, popped = 0;
  while (pushed < 700) queue.push(works[pushed++]);
  while (popped < 600) REQUIRE(queue.pop() == &works[popped++]);
  while (pushed < works.size()) queue.push(works[pushed++]);
  CHECK(queue.size() == works.size() - popped);
  while (popped < works.size()) REQUIRE(queue.pop() == &works[popped++]);
  CHECK(queue.empty());
}

TEST_CASE("peeking finds the Work that pop will give later", "[runtime][run_queue]") {
  auto works = make_work({0, 0, 0});
  RunQueue queue;
  for (Work& work : works) queue.push(work);
  CHECK(queue.peek(1) == &works[1]);
  CHECK(queue.peek(2) == &works[2]);
  CHECK(queue.peek(3) == nullptr);
  queue.pop();
  CHECK(queue.peek(1) == &works[2]);
}

TEST_CASE("peeking finds nothing behind the last, where the ring has been before", "[runtime][run_queue]") {
  auto works = make_work(std::vector<int>(1024, 0));  // once around
  RunQueue queue;
  for (Work& work : works) queue.push(work);
  drain(queue, works);
  CHECK(queue.peek(0) == nullptr);
  queue.push(works[5]);
  CHECK(queue.peek(0) == &works[5]);
  CHECK(queue.peek(1) == nullptr);
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/request_pool.hpp"

#include <cstring>
#include <set>

#include "tests/support/catch.hpp"

using namespace kaon::testing;

TEST_CASE("each operation has its own request in front, aligned to a cache line", "[machine_ucx][request_pool]") {
  constexpr std::size_t kRequestBytes = 250;  // no multiple of anything
  RequestPool pool(kRequestBytes);
  std::set<Operation*> taken;
  for (int i = 0; i < 200; ++i) {
    Operation& operation = pool.take();
    CHECK(taken.insert(&operation).second);
    CHECK(reinterpret_cast<std::uintptr_t>(&operation) % 64 == 0);
    operation.counter = 4711;
    std::memset(reinterpret_cast<std::byte*>(&operation) - kRequestBytes, 0xff, kRequestBytes);
  }
  for (const Operation* operation : taken) CHECK(operation->counter == 4711);
}

TEST_CASE("an operation given back is the next one taken", "[machine_ucx][request_pool]") {
  RequestPool pool(64);
  Operation& first = pool.take();
  pool.give_back(first);
  CHECK(&pool.take() == &first);
}

TEST_CASE("finished operations come out in their order, also after the queue ran empty", "[machine_ucx][operation]") {
  Operation a, b, c;
  OperationQueue queue;
  queue.push(a);
  queue.push(b);
  CHECK(&queue.pop() == &a);
  queue.push(c);
  CHECK(queue.last() == &c);
  CHECK(&queue.pop() == &b);
  CHECK(&queue.pop() == &c);
  CHECK(queue.is_empty());
  CHECK(queue.last() == nullptr);
  queue.push(a);
  CHECK(&queue.pop() == &a);
}

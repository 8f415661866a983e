// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/lock_queue.hpp"

#include <vector>

#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

std::vector<int> granted(LockQueue& queue) {
  std::vector<int> origins;
  queue.serve([&](int origin) { origins.push_back(origin); });
  return origins;
}

}  // namespace

TEST_CASE("a lock is shared by many or held by one", "[ampi][windows]") {
  WindowLock lock;
  CHECK(lock.try_take(LockKind::shared));
  CHECK(lock.try_take(LockKind::shared));
  CHECK_FALSE(lock.try_take(LockKind::exclusive));
  CHECK_FALSE(lock.release(LockKind::shared));
  CHECK_FALSE(lock.release(LockKind::shared));
  CHECK(lock.try_take(LockKind::exclusive));
  CHECK_FALSE(lock.try_take(LockKind::shared));
  CHECK_FALSE(lock.try_take(LockKind::exclusive));
  CHECK_FALSE(lock.release(LockKind::exclusive));
  CHECK_FALSE(lock.is_held());
}

TEST_CASE("nobody passes requests that are queued, which are served in their order", "[ampi][windows]") {
  WindowLock lock;
  LockQueue queue(lock);
  REQUIRE(lock.try_take(LockKind::shared));
  queue.add(5, LockKind::exclusive);
  queue.add(6, LockKind::shared);
  queue.add(7, LockKind::shared);
  CHECK(granted(queue).empty());
  CHECK_FALSE(lock.try_take(LockKind::shared));
  CHECK(lock.release(LockKind::shared));
  CHECK(granted(queue) == std::vector<int>{5});
  CHECK(lock.release(LockKind::exclusive));
  CHECK(granted(queue) == std::vector<int>{6, 7});
  CHECK(queue.empty());
  CHECK(lock.try_take(LockKind::shared));
}

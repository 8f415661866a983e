// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/epochs.hpp"

#include <mpi.h>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

template <class Body>
bool is_refused(Body body) {
  try {
    body();
  } catch (const MpiFault& fault) {
    return fault.error_class() == MPI_ERR_RMA_SYNC;
  }
  return false;
}

}  // namespace

TEST_CASE("an access needs an epoch that has its target", "[ampi][windows]") {
  Epochs epochs;
  CHECK(is_refused([&] { epochs.access(0); }));
  epochs.start({1, 3});
  epochs.access(3);
  CHECK(is_refused([&] { epochs.access(2); }));
  epochs.complete();
  epochs.lock(2, LockKind::shared);
  epochs.access(2);
  CHECK(is_refused([&] { epochs.access(3); }));
  epochs.unlock(2);
  CHECK(is_refused([&] { epochs.access(2); }));
  epochs.lock_all();
  epochs.access(7);
}

TEST_CASE("a fence ends the epoch of another one, and others begin where nothing was accessed since",
          "[ampi][windows]") {
  Epochs epochs;
  epochs.fence(false);
  epochs.access(0);
  CHECK(is_refused([&] { epochs.lock(0, LockKind::shared); }));
  CHECK(is_refused([&] { epochs.check_free(); }));
  epochs.check_fence();
  epochs.fence(false);
  epochs.check_free();
  epochs.lock(0, LockKind::shared);
  CHECK(is_refused([&] { epochs.check_fence(); }));
  epochs.unlock(0);
  epochs.fence(true);
  CHECK(is_refused([&] { epochs.access(0); }));
}

TEST_CASE("an exposure ends by one wait, and goes beside an access epoch of a group", "[ampi][windows]") {
  Epochs epochs;
  CHECK(is_refused([&] { epochs.check_wait(); }));
  epochs.post({1});
  CHECK(is_refused([&] { epochs.post({2}); }));
  CHECK(is_refused([&] { epochs.check_fence(); }));
  epochs.start({1});
  CHECK(is_refused([&] { epochs.start({1}); }));
  epochs.check_complete();
  epochs.complete();
  epochs.check_wait();
  epochs.end_exposure();
  epochs.check_free();
}

TEST_CASE("locks of several targets are one epoch, without one for all", "[ampi][windows]") {
  Epochs epochs;
  epochs.lock(1, LockKind::exclusive);
  epochs.lock(2, LockKind::shared);
  CHECK(is_refused([&] { epochs.lock(1, LockKind::shared); }));
  CHECK(is_refused([&] { epochs.lock_all(); }));
  CHECK(is_refused([&] { epochs.check_unlock(3); }));
  epochs.unlock(1);
  CHECK(epochs.access() == Epochs::Access::lock);
  epochs.unlock(2);
  CHECK(epochs.access() == Epochs::Access::none);
}

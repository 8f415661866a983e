// SPDX-License-Identifier: Apache-2.0
// Epochs of windows.
#include <mpi.h>

#include "kaon/ampi_shim/interface/window_arguments.hpp"
#include "kaon/ampi_shim/windows/synchronization.hpp"

using namespace kaon::ampi;

namespace {

void check_has_locks(const Window& window) {
  const std::string* const has_none = window.info.find("no_locks");
  require(has_none == nullptr || *has_none != "true", MPI_ERR_RMA_SYNC,
          "the info of the window promises with no_locks that there are none");
}

LockKind lock_kind(int type) {
  require(type == MPI_LOCK_SHARED || type == MPI_LOCK_EXCLUSIVE, MPI_ERR_LOCKTYPE, "{} is no kind of lock", type);
  return type == MPI_LOCK_SHARED ? LockKind::shared : LockKind::exclusive;
}

int flush_target(const char* function, int rank, MPI_Win win) {
  return window_call(function, win, [&](Window& window) {
    if (rank == MPI_PROC_NULL) return;
    check_member(window, rank);
    window.epochs.check_passive(rank);
    flush(window, rank);
    throw_errors(window);
  });
}

int flush_targets(const char* function, MPI_Win win) {
  return window_call(function, win, [&](Window& window) {
    window.epochs.check_passive("this");
    flush_all(window);
    throw_errors(window);
  });
}

}  // namespace

int MPI_Win_fence(int assert, MPI_Win win) {
  return window_call("MPI_Win_fence", win, [&](Window& window) {
    check_assertion(assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
    fence(window, (assert& MPI_MODE_NOSUCCEED) != 0);
    throw_errors(window);
  });
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  return window_call("MPI_Win_start", win, [&](Window& window) {
    check_assertion(assert, MPI_MODE_NOCHECK);
    start(window, members_argument(window, group), (assert& MPI_MODE_NOCHECK) == 0);
  });
}

int MPI_Win_complete(MPI_Win win) {
  return window_call("MPI_Win_complete", win, [](Window& window) {
    complete(window);
    throw_errors(window);
  });
}

int MPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  return window_call("MPI_Win_post", win, [&](Window& window) {
    check_assertion(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
    post(window, members_argument(window, group));
  });
}

int MPI_Win_wait(MPI_Win win) {
  return window_call("MPI_Win_wait", win, [](Window& window) { wait(window); });
}

int MPI_Win_test(MPI_Win win, int* flag) {
  return window_call("MPI_Win_test", win, [&](Window& window) {
    require_place(flag, "flag");
    *flag = test(window) ? 1 : 0;
  });
}

int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  return window_call("MPI_Win_lock", win, [&](Window& window) {
    const LockKind kind = lock_kind(lock_type);
    check_assertion(assert, MPI_MODE_NOCHECK);
    check_has_locks(window);
    if (rank == MPI_PROC_NULL) return;
    check_member(window, rank);
    lock(window, rank, kind, (assert& MPI_MODE_NOCHECK) == 0);
  });
}

int MPI_Win_unlock(int rank, MPI_Win win) {
  return window_call("MPI_Win_unlock", win, [&](Window& window) {
    if (rank == MPI_PROC_NULL) return;
    check_member(window, rank);
    unlock(window, rank);
    throw_errors(window);
  });
}

int MPI_Win_lock_all(int assert, MPI_Win win) {
  return window_call("MPI_Win_lock_all", win, [&](Window& window) {
    check_assertion(assert, MPI_MODE_NOCHECK);
    check_has_locks(window);
    lock_all(window, (assert& MPI_MODE_NOCHECK) == 0);
  });
}

int MPI_Win_unlock_all(MPI_Win win) {
  return window_call("MPI_Win_unlock_all", win, [](Window& window) {
    unlock_all(window);
    throw_errors(window);
  });
}

int MPI_Win_flush(int rank, MPI_Win win) { return flush_target("MPI_Win_flush", rank, win); }
int MPI_Win_flush_all(MPI_Win win) { return flush_targets("MPI_Win_flush_all", win); }
// What an operation gets is there when its target has answered, and that is all there is to know.
int MPI_Win_flush_local(int rank, MPI_Win win) { return flush_target("MPI_Win_flush_local", rank, win); }
int MPI_Win_flush_local_all(MPI_Win win) { return flush_targets("MPI_Win_flush_local_all", win); }

// Memory is one for loads, stores and operations: see MPI_WIN_UNIFIED.
int MPI_Win_sync(MPI_Win win) {
  return window_call("MPI_Win_sync", win, [](Window& window) { synchronize(window); });
}

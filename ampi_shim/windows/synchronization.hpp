// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/ampi_shim/windows/window.hpp"

namespace kaon::ampi {

// What the functions of MPI with these names do, on the program's strand, when their arguments are right. They throw
// MpiFault; what an earlier operation has found at its target, throw_errors() tells.

/// `is_last`: no operations follow (MPI_MODE_NOSUCCEED).
void fence(Window& window, bool is_last);
/// `is_checked`: false with MPI_MODE_NOCHECK, which says that the targets have posted.
void start(Window& window, std::vector<int> targets, bool is_checked);
void complete(Window& window);
void post(Window& window, std::vector<int> origins);
void wait(Window& window);
/// Does what wait() does if that need not wait. False: it would.
bool test(Window& window);

/// `is_checked`: false with MPI_MODE_NOCHECK, which says that no other rank wants the lock.
void lock(Window& window, int target, LockKind kind, bool is_checked);
void unlock(Window& window, int target);
/// Takes the locks at once that this process reaches in memory, the others with the first access.
void lock_all(Window& window, bool is_checked);
void unlock_all(Window& window);
void flush(Window& window, int target);
void flush_all(Window& window);
/// MPI_Win_sync. A rank that looks for a value in a loop lets others run by this, from time to time.
void synchronize(Window& window);
/// For each access: the lock that lock_all() has left.
void take_lock_of_access(Window& window, int target);

/// Throws what an earlier operation has found at its target.
void throw_errors(Window& window);

/// Until all members are here. `name` is a literal.
void barrier(const char* name, Window& window);

}  // namespace kaon::ampi

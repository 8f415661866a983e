// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/ampi_shim/windows/window_lock.hpp"

namespace kaon::ampi {

/// The epochs of one rank at one window. Each function either goes over to the new state or throws MpiFault with
/// MPI_ERR_RMA_SYNC and leaves it. Targets and origins are members of the window.
class Epochs {
 public:
  enum class Access : std::uint8_t { none, fence, start, lock, lock_all };
  struct Lock {
    int target;
    LockKind kind;
    bool is_taken;  // false: by MPI_MODE_NOCHECK not, or not yet
  };

  Access access() const { return access_; }
  bool is_exposed() const { return is_exposed_; }
  const std::vector<int>& started() const { return started_; }
  std::vector<Lock>& locks() { return locks_; }
  /// nullptr: the target is not locked.
  Lock* find_lock(int target);

  // A fence may end an epoch, begin one, or both: `is_last` has the program not begin one (MPI_MODE_NOSUCCEED).
  void check_fence() const;
  void fence(bool is_last) {
    access_ = is_last ? Access::none : Access::fence;
    has_accessed_ = false;
  }

  void start(std::vector<int> targets);
  void check_complete() const;
  void complete() {
    access_ = Access::none;
    started_.clear();
  }

  void post(std::vector<int> origins);
  void check_wait() const;
  /// The origins of the exposure that ends.
  const std::vector<int>& exposed_to() const { return exposed_to_; }
  void end_exposure() {
    is_exposed_ = false;
    exposed_to_.clear();
  }

  void lock(int target, LockKind kind);
  void lock_all();
  /// Throws unless the target is locked by MPI_Win_lock.
  void check_unlock(int target);
  void unlock(int target);
  /// After MPI_Win_lock_all, without MPI_MODE_NOCHECK: a lock is to be taken before the first access of each target.
  bool are_locks_due() const { return are_locks_due_; }
  void set_locks_are_due(bool are) { are_locks_due_ = are; }
  void check_unlock_all() const;
  void unlock_all() {
    access_ = Access::none;
    locks_.clear();
  }

  /// An operation accesses a target.
  void access(int target);
  /// Flushes, MPI_Win_sync, and operations that give a request.
  void check_passive(const char* what) const;
  void check_passive(int target);
  /// Before the window goes.
  void check_free() const;

 private:
  void check_idle(const char* what) const;

  Access access_ = Access::none;
  bool has_accessed_ = false;  // since the last fence
  bool are_locks_due_ = false;
  bool is_exposed_ = false;  // by MPI_Win_post
  std::vector<int> started_;
  std::vector<int> exposed_to_;
  std::vector<Lock> locks_;
};

}  // namespace kaon::ampi

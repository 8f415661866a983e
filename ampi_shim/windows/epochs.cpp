// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/epochs.hpp"

#include <mpi.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {
namespace {

[[noreturn]] void throw_wrong_epoch(const std::string& text) { throw MpiFault(MPI_ERR_RMA_SYNC, text); }

const char* end_of(Epochs::Access access) {
  switch (access) {
    case Epochs::Access::start:
      return "an access epoch of MPI_Win_start is open: MPI_Win_complete ends it";
    case Epochs::Access::lock:
      return "a target is locked: MPI_Win_unlock ends that";
    case Epochs::Access::lock_all:
      return "all targets are locked: MPI_Win_unlock_all ends that";
    case Epochs::Access::fence:
      return "operations have followed the last MPI_Win_fence: another one ends their epoch";
    case Epochs::Access::none:
      break;
  }
  return "no epoch is open";
}

}  // namespace

Epochs::Lock* Epochs::find_lock(int target) {
  const auto found = std::ranges::find(locks_, target, &Lock::target);
  return found == locks_.end() ? nullptr : &*found;
}

void Epochs::check_idle(const char* what) const {
  if (access_ == Access::none || (access_ == Access::fence && !has_accessed_)) return;
  throw_wrong_epoch(std::string(what) + " while " + end_of(access_));
}

void Epochs::check_fence() const {
  if (access_ != Access::fence) check_idle("a fence is called");
  if (is_exposed_) throw_wrong_epoch("the window is exposed by MPI_Win_post: MPI_Win_wait ends that");
}

void Epochs::start(std::vector<int> targets) {
  check_idle("an access epoch is started");
  access_ = Access::start;
  started_ = std::move(targets);
}

void Epochs::check_complete() const {
  if (access_ != Access::start) throw_wrong_epoch("MPI_Win_start has not been called");
}

void Epochs::post(std::vector<int> origins) {
  if (is_exposed_) throw_wrong_epoch("the window is exposed already: MPI_Win_wait ends that");
  if (access_ == Access::fence) check_idle("the window is exposed");
  is_exposed_ = true;
  exposed_to_ = std::move(origins);
}

void Epochs::check_wait() const {
  if (!is_exposed_) throw_wrong_epoch("MPI_Win_post has not been called");
}

void Epochs::lock(int target, LockKind kind) {
  if (access_ == Access::lock) {
    if (find_lock(target) != nullptr) throw_wrong_epoch("target " + std::to_string(target) + " is locked already");
  } else {
    check_idle("a target is locked");
  }
  access_ = Access::lock;
  locks_.push_back({target, kind, false});
}

void Epochs::lock_all() {
  check_idle("all targets are locked");
  access_ = Access::lock_all;
}

void Epochs::check_unlock(int target) {
  if (access_ != Access::lock || find_lock(target) == nullptr)
    throw_wrong_epoch("target " + std::to_string(target) + " is not locked");
}

void Epochs::unlock(int target) {
  std::erase_if(locks_, [target](const Lock& lock) { return lock.target == target; });
  if (locks_.empty()) access_ = Access::none;
}

void Epochs::check_unlock_all() const {
  if (access_ != Access::lock_all) throw_wrong_epoch("MPI_Win_lock_all has not been called");
}

void Epochs::access(int target) {
  switch (access_) {
    case Access::fence:
      has_accessed_ = true;
      return;
    case Access::start:
      if (std::ranges::find(started_, target) != started_.end()) return;
      throw_wrong_epoch("target " + std::to_string(target) + " is not in the group of MPI_Win_start");
    case Access::lock:
      if (find_lock(target) != nullptr) return;
      throw_wrong_epoch("target " + std::to_string(target) + " is not locked");
    case Access::lock_all:
      return;
    case Access::none:
      break;
  }
  throw_wrong_epoch("no access epoch is open: call MPI_Win_fence, MPI_Win_start or MPI_Win_lock first");
}

void Epochs::check_passive(const char* what) const {
  if (access_ == Access::lock || access_ == Access::lock_all) return;
  throw_wrong_epoch(std::string(what) + " is for targets that are locked, by MPI_Win_lock or MPI_Win_lock_all");
}

void Epochs::check_passive(int target) {
  check_passive("this");
  if (access_ == Access::lock) access(target);
}

void Epochs::check_free() const {
  check_idle("the window is freed");
  if (is_exposed_) throw_wrong_epoch("the window is freed while it is exposed by MPI_Win_post: MPI_Win_wait ends that");
}

}  // namespace kaon::ampi

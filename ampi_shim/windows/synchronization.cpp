// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/synchronization.hpp"

#include <string>
#include <utility>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/collectives/meeting.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

namespace kaon::ampi {
namespace {

void wait_for_operations(Window& window) {
  window.wait_until([&] { return window.pending() == 0; }, "for the ends of its one-sided operations");
  window.order_memory();
}

void take_lock(Window& window, int target, LockKind kind) {
  PartControl* const control = window.part(target).control;
  if (control != nullptr && control->lock.try_take(kind)) return;
  send_signal(window, target, kind == LockKind::shared ? SignalKind::lock_shared : SignalKind::lock_exclusive);
  window.wait_until([&] { return window.grants() > 0; }, "for the lock of a window");
  --window.grants();
}

void give_lock_back(Window& window, int target, LockKind kind) {
  if (PartControl* const control = window.part(target).control; control == nullptr)
    send_signal(window, target,
                kind == LockKind::shared ? SignalKind::released_shared : SignalKind::released_exclusive);
  else if (control->lock.release(kind))
    send_signal(window, target, SignalKind::serve);
}

}  // namespace

void throw_errors(Window& window) {
  if (const int error = window.take_error(); error != MPI_SUCCESS)
    throw MpiFault(error,
                   "an operation since the last synchronization was refused at its target: the memory that it "
                   "names is not attached to the window there");
}

void barrier(const char* name, Window& window) {
  Rank& rank = window.rank();
  Communicator& communicator = window.communicator();
  if (Meeting* const meeting = Meeting::of(rank, communicator))
    meeting->barrier({name, rank, communicator});
  else
    run_now(name, rank, communicator, [&](Schedule& schedule) { plan_barrier(schedule, team_of(communicator)); });
  window.order_memory();
  let_leave(rank);
}

void fence(Window& window, bool is_last) {
  window.epochs.check_fence();
  wait_for_operations(window);
  barrier("MPI_Win_fence", window);
  window.epochs.fence(is_last);
}

void start(Window& window, std::vector<int> targets, bool is_checked) {
  window.epochs.start(std::move(targets));
  for (const int target : window.epochs.started()) {
    if (is_checked)
      window.wait_until([&] { return window.posts_of(target) > 0; }, "in MPI_Win_start, for MPI_Win_post of a target");
    --window.posts_of(target);
  }
  window.order_memory();
}

void complete(Window& window) {
  window.epochs.check_complete();
  wait_for_operations(window);
  for (const int target : window.epochs.started()) send_signal(window, target, SignalKind::completed);
  window.epochs.complete();
  let_leave(window.rank());
}

void post(Window& window, std::vector<int> origins) {
  window.epochs.post(std::move(origins));
  window.order_memory();
  for (const int origin : window.epochs.exposed_to()) send_signal(window, origin, SignalKind::posted);
  let_leave(window.rank());
}

namespace {

int missing_completions(Window& window) {
  return static_cast<int>(window.epochs.exposed_to().size()) - window.completions();
}

void end_exposure(Window& window) {
  window.completions() -= static_cast<int>(window.epochs.exposed_to().size());
  window.epochs.end_exposure();
  window.order_memory();
}

}  // namespace

void wait(Window& window) {
  window.epochs.check_wait();
  window.wait_until([&] { return missing_completions(window) <= 0; },
                    "in MPI_Win_wait, for MPI_Win_complete of the origins");
  end_exposure(window);
}

bool test(Window& window) {
  window.epochs.check_wait();
  if (missing_completions(window) > 0) {
    give_way(window.rank());
    if (missing_completions(window) > 0) return false;
  }
  end_exposure(window);
  return true;
}

void lock(Window& window, int target, LockKind kind, bool is_checked) {
  window.epochs.lock(target, kind);
  if (is_checked) {
    take_lock(window, target, kind);
    window.epochs.find_lock(target)->is_taken = true;
  }
  synchronize(window);
}

void unlock(Window& window, int target) {
  window.epochs.check_unlock(target);
  flush(window, target);
  const Epochs::Lock held = *window.epochs.find_lock(target);
  window.epochs.unlock(target);
  if (held.is_taken) give_lock_back(window, target, held.kind);
  let_leave(window.rank());
}

void lock_all(Window& window, bool is_checked) {
  window.epochs.lock_all();
  std::vector<Epochs::Lock>& locks = window.epochs.locks();
  for (int target = 0; is_checked && target < window.communicator().size(); ++target) {
    if (window.part(target).control == nullptr) continue;
    take_lock(window, target, LockKind::shared);
    locks.push_back({target, LockKind::shared, true});
  }
  window.epochs.set_locks_are_due(is_checked);
  window.order_memory();
}

void take_lock_of_access(Window& window, int target) {
  Epochs& epochs = window.epochs;
  if (epochs.access() != Epochs::Access::lock_all || !epochs.are_locks_due()) return;
  if (window.part(target).control != nullptr || epochs.find_lock(target) != nullptr) return;
  take_lock(window, target, LockKind::shared);
  epochs.locks().push_back({target, LockKind::shared, true});
}

void unlock_all(Window& window) {
  window.epochs.check_unlock_all();
  wait_for_operations(window);
  for (const Epochs::Lock& held : window.epochs.locks())
    if (held.is_taken) give_lock_back(window, held.target, held.kind);
  window.epochs.unlock_all();
  let_leave(window.rank());
}

void flush(Window& window, int target) {
  window.wait_until([&] { return window.pending_at(target) == 0; }, "for the ends of its one-sided operations");
  synchronize(window);
}

void flush_all(Window& window) {
  wait_for_operations(window);
  let_leave(window.rank());
}

void synchronize(Window& window) {
  window.order_memory();
  let_leave(window.rank());
}

}  // namespace kaon::ampi

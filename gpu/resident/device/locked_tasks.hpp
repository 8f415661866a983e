// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/wire/resident_view.hpp"

namespace kaon::gpu {

/// The state of a worker's LockedTasks that its threads share. Uninitialised.
struct LockedShared {
  std::uint32_t count;     // places in use; of some the task has gone
  std::uint32_t next;      // from here on tasks of `unlocked` are looked for
  std::uint64_t unlocked;  // the object whose tasks have their turn before all others; 0: none
  bool is_failing;         // there was no room
};

/// Tasks of a worker for objects that the host has locked, behind the locks themselves: all in the order in which they
/// came. An object is locked as long as a lock of it is here, and the first one is whose it is. As the worker alone
/// runs the entries of its objects, nobody else need know of a lock: no entry asks a word whether it may run.
///
/// By the first thread of the worker. The tasks lie in the device's memory, and stay there between launches.
class LockedTasks {
 public:
  enum class Fate : std::uint32_t {
    runs,
    waits,     // it has a place here
    locks,     // from now on: who has sent it is told
    unlocks,   // it is done
    withdraws  // a lock that had to wait takes the place of the command: nobody wants it any more
  };
  KAON_DEVICE LockedTasks(Command* tasks, std::uint32_t room, LockedShared& shared)
      : tasks_(tasks), room_(room), shared_(shared) {}

  KAON_DEVICE void begin(std::uint32_t count) const {
    shared_.count = count;
    shared_.unlocked = shared_.next = 0;
    shared_.is_failing = false;
  }
  KAON_DEVICE std::uint32_t count() const { return shared_.count; }
  KAON_DEVICE bool is_failing() const { return shared_.is_failing; }

  /// Decides the fate of a command that the worker has taken.
  KAON_DEVICE Fate admit(Command& command) const {
    const std::uint32_t entry = head_of(command).entry();
    if (entry == task::kUnlock) return unlock(command);
    const bool is_locked = shared_.count > 0 && find(object_of(command), 0) < shared_.count;
    if (!is_locked && entry != task::kLock) return Fate::runs;
    if (shared_.count < room_)
      tasks_[shared_.count++] = command;
    else
      shared_.is_failing = true;
    return is_locked ? Fate::waits : Fate::locks;
  }
  /// The next of those that waited for an object that was unlocked: it runs, or is a lock. `waits`: there is none.
  KAON_DEVICE Fate next(Command& command) const {
    if (shared_.unlocked == 0) return Fate::waits;
    const std::uint32_t at = find(shared_.unlocked, shared_.next);
    if (at < shared_.count) command = tasks_[at];
    if (at < shared_.count && head_of(command).entry() != task::kLock) {
      clear(at);
      shared_.next = at + 1;
      return Fate::runs;
    }
    const bool is_lock = at < shared_.count;
    shared_.unlocked = 0;
    close_gaps();
    return is_lock ? Fate::locks : Fate::waits;
  }

 private:
  KAON_DEVICE static std::uint64_t object_of(const Command& command) {
    return command_as<EntryCommand>(command).object.number();
  }
  KAON_DEVICE bool is_gone(std::uint32_t at) const { return head_of(tasks_[at]).word == 0; }
  KAON_DEVICE void clear(std::uint32_t at) const {
    auto task = command_as<EntryCommand>(tasks_[at]);
    task.head = {};
    tasks_[at] = to_command(task);
  }
  KAON_DEVICE bool is_lock(std::uint32_t at, std::uint32_t lock) const {
    const auto command = command_as<LockCommand>(tasks_[at]);
    return command.head.entry() == task::kLock && command.lock == lock;
  }
  /// The first place of the object from one on; `count`: there is none.
  KAON_DEVICE std::uint32_t find(std::uint64_t object, std::uint32_t from) const {
    while (from < shared_.count && (is_gone(from) || object_of(tasks_[from]) != object)) ++from;
    return from;
  }
  KAON_DEVICE Fate unlock(Command& command) const {
    const std::uint32_t lock = command_as<LockCommand>(command).lock;
    const std::uint32_t first = find(object_of(command), 0);
    std::uint32_t at = first;
    while (at < shared_.count && (is_gone(at) || !is_lock(at, lock))) ++at;
    if (at >= shared_.count) return Fate::unlocks;  // there was no room for it: the launch fails
    const bool is_first = at == first;
    if (is_first) shared_.unlocked = object_of(command), shared_.next = at + 1;
    if (!is_first) command = tasks_[at];
    clear(at);
    if (!is_first) close_gaps();
    return is_first ? Fate::unlocks : Fate::withdraws;
  }
  KAON_DEVICE void close_gaps() const {
    std::uint32_t to = 0;
    for (std::uint32_t from = 0; from < shared_.count; ++from) {
      if (is_gone(from)) continue;
      if (to != from) tasks_[to] = tasks_[from];
      ++to;
    }
    shared_.count = to;
  }

  Command* tasks_;
  std::uint32_t room_;
  LockedShared& shared_;
};

/// Stand in their places where no object can be locked, and cost nothing.
struct NothingLockedShared {};
struct NoLockedTasks {
  KAON_DEVICE NoLockedTasks(Command*, std::uint32_t, NothingLockedShared&) {}
  KAON_DEVICE void begin(std::uint32_t) const {}
  KAON_DEVICE std::uint32_t count() const { return 0; }
};

template <class Entries>
using LockedTasksOf = std::conditional_t<Entries::kHaveLockable, LockedTasks, NoLockedTasks>;
template <class Entries>
using LockedSharedOf = std::conditional_t<Entries::kHaveLockable, LockedShared, NothingLockedShared>;

}  // namespace kaon::gpu

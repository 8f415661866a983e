// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "kaon/gpu/resident/host/device_call.hpp"

namespace kaon::gpu {

/// The host has an object of a device for itself: none of its entries runs, and what is sent to it waits. Ends with
/// unlock(), or by itself; on the PE that has made the scheduler.
class ObjectLock {
 public:
  ObjectLock() = default;
  ObjectLock(std::shared_ptr<ResidentScheduler> scheduler, const LockCommand& unlock)
      : scheduler_(std::move(scheduler)), unlock_(unlock) {}
  ObjectLock(ObjectLock&& other) noexcept = default;
  ObjectLock& operator=(ObjectLock&& other) noexcept {
    unlock();
    scheduler_ = std::move(other.scheduler_);
    unlock_ = other.unlock_;
    return *this;
  }
  ~ObjectLock() { unlock(); }

  /// Ends the lock. Entries that go on see everything that the host has copied to the object by now.
  void unlock() noexcept {
    if (scheduler_ != nullptr) std::exchange(scheduler_, nullptr)->unlock(to_command(unlock_));
  }
  bool is_locked() const { return scheduler_ != nullptr; }

 private:
  std::shared_ptr<ResidentScheduler> scheduler_;  // nullptr: nothing is locked
  LockCommand unlock_;
};

/// The wait for an object of a device that the host is to have for itself. The lock is there from the moment that it
/// was asked for, so that who gives up the wait, or cannot be told any more, leaves the object to others.
class LockCall {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  /// `lock`: the command that asks for it.
  LockCall(const std::shared_ptr<ResidentScheduler>& scheduler, std::uint32_t serial, const LockCommand& lock,
           const char* object)
      : call_(scheduler, serial, command_as<EntryCommand>(to_command(lock)), object),
        scheduler_(scheduler),
        unlock_(lock),
        object_(object) {
    unlock_.head.word += task::kUnlock - task::kLock;
  }
  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    call_.start(waiter);
    lock_ = ObjectLock(scheduler_, unlock_);
    return false;
  }
  void give_up(Waiter& waiter) noexcept {
    call_.give_up(waiter);
    lock_.unlock();
  }
  ObjectLock take() {
    call_.take();
    return std::move(lock_);
  }
  std::string describe() const { return "to lock an object of a device, " + readable_type(object_); }

 private:
  DeviceCall<void> call_;
  std::shared_ptr<ResidentScheduler> scheduler_;
  LockCommand unlock_;
  const char* object_;
  ObjectLock lock_;
};

}  // namespace kaon::gpu

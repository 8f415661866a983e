// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/gpu/resident/wire/device_entry.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

/// The wait for what an entry of a device returns.
template <class Value>
class DeviceCall {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  DeviceCall(std::shared_ptr<ResidentScheduler> scheduler, std::uint32_t serial, const EntryCommand& command,
             const char* type)
      : scheduler_(std::move(scheduler)), serial_(serial), command_(command), type_(type) {}
  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    call_.waiter = &waiter;
    ticket_ = scheduler_->calls().add(call_, command_.head.parts());
    command_.reply = scheduler_->calls().reply_to(ticket_);
    try {
      scheduler_->send(serial_, to_command(command_));
    } catch (...) {
      scheduler_->calls().forget(ticket_, call_);
      throw;
    }
    return false;
  }
  void give_up(Waiter&) noexcept { scheduler_->calls().forget(ticket_, call_); }
  Value take() {
    if (call_.has_failed) throw UsageError("a resident scheduler was destroyed while a task waited " + describe());
    if constexpr (!std::is_void_v<Value>) return read_words<Value>(call_.values.data());
  }
  std::string describe() const { return "for the device entry " + readable_type(type_); }

 private:
  std::shared_ptr<ResidentScheduler> scheduler_;
  std::uint32_t serial_;  // of the scheduler that the object belongs to
  EntryCommand command_;
  const char* type_;
  PendingCall call_;
  std::uint32_t ticket_ = 0;
};

}  // namespace kaon::gpu

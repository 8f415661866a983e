// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

/// A wait for the return value of an entry.
struct PendingCall {
  Waiter* waiter = nullptr;
  bool has_failed = false;                                  // the scheduler was destroyed
  std::array<std::uint32_t, notice::kMostValues> values{};  // when it has been resumed
};

/// Those of one scheduler, by ticket. A ticket is used again when its answer has come, not before.
class PendingCalls {
 public:
  /// Sets the member of a group whose calls these are.
  void belong_to(std::uint32_t member) { member_ = member; }
  /// The number by which the device answers a call.
  std::uint32_t reply_to(std::uint32_t ticket) const { return member_ << member::kTicketBits | ticket; }
  /// For one more lock.
  std::uint32_t next_lock() { return reply_to(++locks_ & member::kMostTickets); }
  /// `parts`: how many answer it.
  std::uint32_t add(PendingCall& call, std::uint32_t parts) {
    if (free_.empty()) {
      if (calls_.size() == member::kMostTickets) throw UsageError("16,777,215 calls of a resident scheduler wait");
      calls_.push_back({&call, parts});
      return static_cast<std::uint32_t>(calls_.size());  // task::kNoReply is none
    }
    const std::uint32_t ticket = free_.back();
    free_.pop_back();
    calls_[ticket - 1] = {&call, parts};
    return ticket;
  }
  /// Nobody waits for it any more; when it was answered before, its ticket may be another's.
  void forget(std::uint32_t ticket, const PendingCall& call) noexcept {
    if (PendingCall*& pending = calls_[ticket - 1].call; pending == &call) pending = nullptr;
  }
  /// None of them is answered any more.
  void fail_all() {
    for (Awaited& each : calls_) {
      PendingCall* const call = std::exchange(each.call, nullptr);
      if (call == nullptr) continue;
      call->has_failed = true;
      call->waiter->resume_soon();
    }
  }
  bool has(std::uint32_t ticket) const { return ticket - 1 < calls_.size(); }
  /// By one of those who answer; `values`: what the entry returns, nullptr of all but one of them.
  void answer(std::uint32_t ticket, const std::uint32_t* values) {
    Awaited& awaited = calls_[ticket - 1];
    if (awaited.call != nullptr && values != nullptr)
      std::copy_n(values, awaited.call->values.size(), awaited.call->values.begin());
    if (--awaited.parts > 0) return;
    free_.push_back(ticket);
    if (PendingCall* const call = std::exchange(awaited.call, nullptr); call != nullptr) call->waiter->resume_soon();
  }

 private:
  struct Awaited {
    PendingCall* call;
    std::uint32_t parts;  // that have not answered
  };
  std::uint32_t member_ = member::kOwner;
  std::uint32_t locks_ = 0;  // that were asked for
  std::vector<Awaited> calls_;
  std::vector<std::uint32_t> free_;
};

}  // namespace kaon::gpu

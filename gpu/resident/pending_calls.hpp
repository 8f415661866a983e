// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/gpu/resident/resident_view.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

/// Who waits for what an entry returns.
struct PendingCall {
  Waiter* waiter = nullptr;
  bool has_failed = false;                                                // the scheduler was destroyed
  std::array<std::uint32_t, Command::kWords - notice::kValues> values{};  // when it has been resumed
};

/// Those of one scheduler, by ticket. A ticket is used again when its answer has come, not before.
class PendingCalls {
 public:
  std::uint32_t add(PendingCall& call) {
    if (free_.empty()) {
      calls_.push_back(&call);
      return static_cast<std::uint32_t>(calls_.size());  // task::kNoReply is none
    }
    const std::uint32_t ticket = free_.back();
    free_.pop_back();
    calls_[ticket - 1] = &call;
    return ticket;
  }
  /// Nobody waits for it any more; when it was answered before, its ticket may be another's.
  void forget(std::uint32_t ticket, const PendingCall& call) noexcept {
    if (calls_[ticket - 1] == &call) calls_[ticket - 1] = nullptr;
  }
  /// None of them is answered any more.
  void fail_all() {
    for (PendingCall*& each : calls_) {
      PendingCall* const call = std::exchange(each, nullptr);
      if (call == nullptr) continue;
      call->has_failed = true;
      call->waiter->resume_soon();
    }
  }
  bool has(std::uint32_t ticket) const { return ticket - 1 < calls_.size(); }
  void answer(std::uint32_t ticket, const std::uint32_t* values) {
    PendingCall* const call = std::exchange(calls_[ticket - 1], nullptr);
    free_.push_back(ticket);
    if (call == nullptr) return;
    std::copy_n(values, call->values.size(), call->values.begin());
    call->waiter->resume_soon();
  }

 private:
  std::vector<PendingCall*> calls_;
  std::vector<std::uint32_t> free_;
};

}  // namespace kaon::gpu

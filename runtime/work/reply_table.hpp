// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// Somebody who waits for the result of a call.
class ReplyWaiter {
 public:
  /// `value` is the result, to be moved out of; nullptr for void. Called once, the slot is free again already.
  virtual void replied(void* value) = 0;

 protected:
  ~ReplyWaiter() = default;
};

/// The calls of one PE that wait for a result. A slot's generation tells a late reply, whose waiter has gone, from the
/// reply that the slot's present waiter expects.
class ReplyTable {
 public:
  ReplyTo open(ReplyWaiter& waiter) {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot].waiter = &waiter;
    return {slot, slots_[slot].generation};
  }

  /// The waiter of a reply, whose slot ends; nullptr when it has gone.
  ReplyWaiter* close(ReplyTo to) {
    if (to.slot >= slots_.size() || slots_[to.slot].generation != to.generation) return nullptr;
    Slot& slot = slots_[to.slot];
    if (++slot.generation == 0) slot.generation = 1;  // 0 says that nobody waits
    free_.push_back(to.slot);
    return std::exchange(slot.waiter, nullptr);
  }

  /// The waiter goes; its reply will find nobody, and then the slot ends.
  void abandon(ReplyTo to) {
    if (to.slot < slots_.size() && slots_[to.slot].generation == to.generation) slots_[to.slot].waiter = nullptr;
  }

  std::size_t open_calls() const { return slots_.size() - free_.size(); }

 private:
  struct Slot {
    ReplyWaiter* waiter = nullptr;
    std::uint32_t generation = 1;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace kaon::runtime

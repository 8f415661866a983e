// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/result.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// The calls of one PE whose results are expected. A slot's generation tells a late reply, whose receiver has gone,
/// from the reply that the slot's present receiver expects; its type tells a reply that was never meant for it.
class ReplyTable {
 public:
  /// When the result is here, it is put into `result` and `receiver` is run.
  template <class T>
  ReplyTo open(Work& receiver, Result<T>& result) {
    return open(Slot{&receiver, &result, &kType<T>, 0});
  }

  /// A slot closed by a reply of this type: whether one was expected, its receiver (nullptr: gone) and the result.
  template <class T>
  struct Closed {
    bool is_expected = false;
    Work* receiver = nullptr;
    Result<T>* result = nullptr;
  };
  template <class T>
  Closed<T> close(ReplyTo to) {
    if (!is_open(to) || slots_[to.slot].type != &kType<T>) return {};
    const Slot slot = close(to.slot);
    return {true, slot.receiver, static_cast<Result<T>*>(slot.result)};
  }

  /// Same as Closed, for a reply that is an exception: the slot may expect any type.
  struct ClosedByFailure {
    bool is_expected = false;
    Work* receiver = nullptr;
    ResultBase* result = nullptr;
  };
  ClosedByFailure close_failed(ReplyTo to) {
    if (!is_open(to)) return {};
    const Slot slot = close(to.slot);
    return {true, slot.receiver, slot.result};
  }

  /// The receiver goes; its reply will find nobody, and then the slot ends.
  void abandon(ReplyTo to) {
    if (is_open(to)) slots_[to.slot].receiver = nullptr;
  }

  std::size_t open_calls() const { return slots_.size() - free_.size(); }

 private:
  struct Slot {
    Work* receiver = nullptr;
    ResultBase* result = nullptr;
    const char* type = nullptr;
    std::uint32_t generation = 1;
  };
  template <class T>
  static constexpr char kType = 0;  // its address tells types apart

  bool is_open(ReplyTo to) const {
    return to.slot < slots_.size() && slots_[to.slot].generation == to.generation && slots_[to.slot].type != nullptr;
  }

  ReplyTo open(const Slot& expected) {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    Slot& slot = slots_[number];
    const std::uint32_t generation = slot.generation;
    slot = expected;
    slot.generation = generation;
    return {number, generation};
  }

  Slot close(std::uint32_t number) {
    const Slot closed = slots_[number];
    const std::uint32_t next = closed.generation + 1;
    slots_[number] = {nullptr, nullptr, nullptr, next != 0 ? next : 1};  // 0 says that nobody waits
    free_.push_back(number);
    return closed;
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace kaon::runtime

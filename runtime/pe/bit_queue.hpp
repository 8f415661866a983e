// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/pe/bit_priority.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// Messages of one PE whose priorities are bits, in their order. In the run queue they all are one piece of work of
/// priority kPriority, so that integer priorities pay nothing for them.
class BitQueue {
 public:
  static constexpr std::int32_t kPriority = 1;

  explicit BitQueue(Pe& pe);
  BitQueue(const BitQueue&) = delete;
  BitQueue& operator=(const BitQueue&) = delete;
  ~BitQueue();

  /// Takes a message, which is counted and has come.
  void push(Message& message, BitPriority priority);
  std::size_t size() const { return heap_.size(); }

 private:
  struct Ready {
    BitPriority priority;
    std::uint64_t arrival;
    Message* message;
    bool operator<(const Ready& other) const {  // heaps have the greatest in front
      const auto order = priority <=> other.priority;
      return order != 0 ? order > 0 : arrival > other.arrival;
    }
  };
  struct Next : Work {
    BitQueue* queue = nullptr;
  };

  static void run_next(Work& self, Pe& pe);

  Pe& pe_;
  std::vector<Ready> heap_;
  std::uint64_t arrivals_ = 0;
  Next next_;
  bool is_planned_ = false;
};

}  // namespace kaon::runtime

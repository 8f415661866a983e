// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/pe/reply.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/result.hpp"

namespace kaon::chares {

/// Messages that a PE sends on after one element that has left.
///
/// An element that moves at each of a thousand messages would have those behind it sent on a thousand times, each time
/// but one for nothing. So only some go at a time, and a question behind them: where it finds the element, those before
/// it have been run or are close. Twice as many go next when the element has not moved meanwhile, the least when it
/// has.
class Pursuit final : public Activity {
 public:
  /// Takes a message if it is not to be sent on now. False: it is.
  static bool keeps(ElementTable& table, Message& message);
  /// The element is no more: nobody is behind it, unless a question is, whose answer ends this.
  static void element_ended(ElementTable& table, std::uint64_t element);
  /// The array is destroyed.
  void drop_all();

  Pursuit(ElementTable& table, std::uint64_t element);

 private:
  static constexpr std::uint32_t kLeast = 16;
  static constexpr std::uint32_t kMost = 1u << 20;

  ~Pursuit() override;

  static Pursuit& of(ElementTable& table, std::uint64_t element);
  void ask();
  void answered();
  void send_on_held();

  ElementTable& table_;
  std::uint64_t element_;
  std::uint32_t moves_;  // of the element, when last heard of
  std::uint32_t window_ = kLeast;
  std::uint32_t sent_ = 0;  // of the window
  WorkList held_;
  ReplyTo question_;
  Result<Whereabouts> answer_;
};

}  // namespace kaon::chares

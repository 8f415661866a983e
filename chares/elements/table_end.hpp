// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

/// The end of an array on one PE: its elements go as each comes to rest, then what contributed there is told that no
/// result will come, then the table goes.
class TableEnd final : public Activity {
 public:
  /// Ends an element, when nothing keeps it any more.
  using SendOff = void (*)(ElementTable& table, ElementBase& element);

  /// `ended` is run when the table is gone.
  static void start(ElementTable& table, SendOff send_off, Work& ended);

  /// Queues a check as the next piece of work: the condition that the end waits for may hold now.
  void look_soon();
  /// There is one that has yet to be asked to go.
  void element_came();

  TableEnd(ElementTable& table, SendOff send_off, Work& ended);

 private:
  ~TableEnd() override = default;

  static void look(Work& work, Pe& pe);
  bool is_unused() const;
  /// Some of the elements: true when no more of them are to be asked to go.
  bool send_some_off();
  void finish(Pe& pe);

  ElementTable& table_;
  SendOff send_off_;
  Work& ended_;
  std::optional<Elements::Walk> walk_;  // until all have been asked to go
  std::uint64_t place_ = 0;
  bool is_queued_ = false;
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

/// Throws UsageError when the elements of the array cannot move.
void require_moving(const ElementTable& table);

/// The way of one chare out of its PE: to another, or to its end. It goes when the entry that runs now has ended and
/// nothing is being received into its memory; one that moves also waits until none of its entries is suspended
/// but one at a point of rest. A chare that is bound to another goes with that one: the way of all is the leader's.
class Departure final : public Activity {
 public:
  /// Throws UsageError when the element cannot leave for `to`.
  static void to_pe(ElementTable& table, ElementBase& element, PeId to);
  static void to_end(ElementTable& table, ElementBase& element);

  /// Ends an element of which nothing runs and that nothing keeps.
  static void destroy(ElementTable& table, ElementBase& element);

  /// What it waited for may be over: it is tried again as the next piece of work.
  void try_soon();

  /// Whether something of the element still keeps it here.
  bool is_held_up() const { return !is_queued_; }
  /// What it is about to do, for people.
  std::string describe() const;

  Departure(ElementTable& table, std::uint64_t element);

 private:
  static void go_to(ElementTable& table, ElementBase& element, PeId to);
  static Departure& of(ElementTable& table, ElementBase& element);
  static void attempt(Work& self, Pe& pe);
  bool may_go(ElementBase& element) const;
  bool may_move(ElementBase& element) const;
  static void move(ElementTable& table, ElementBase& element, PeId to);
  static void tell_end(ElementTable& table, std::uint64_t element, std::uint32_t next_reduction);
  static void stay(ElementTable& table, std::uint64_t element);
  ~Departure() override;

  ElementTable& table_;
  std::uint64_t element_;
  std::optional<PeId> to_;  // nothing: its end, which goes before any move
  bool is_end_ = false;
  bool is_queued_ = false;
};

}  // namespace kaon::chares

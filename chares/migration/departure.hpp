// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/pending_departure.hpp"

namespace kaon::chares {

/// Throws UsageError when the elements of the array cannot move.
void require_moving(const ElementTable& table);

/// The way of one chare out of its PE: to another, or to its end. It goes when the entry that runs now has ended and
/// nothing is being received into its memory; one that moves also waits until none of its entries is suspended
/// but one at a point of rest. A chare that is bound to another goes with that one: the way of all is the leader's.
class Departure final : public PendingDeparture {
 public:
  /// Throws UsageError when the element cannot leave for `to`.
  static void to_pe(ElementTable& table, ElementBase& element, PeId to);
  static void to_end(ElementTable& table, ElementBase& element);

  /// Ends an element of which nothing runs and that nothing keeps.
  static void destroy(ElementTable& table, ElementBase& element);

  /// Ends an element of an array that ends: like to_end(), or at once if nothing keeps the element.
  static void send_off(ElementTable& table, ElementBase& element);

  std::string describe() const override;

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

  std::uint64_t element_;
  std::optional<PeId> to_;  // nothing: its end, which goes before any move
  bool is_end_ = false;
};

}  // namespace kaon::chares

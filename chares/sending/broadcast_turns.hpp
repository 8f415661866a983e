// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kaon/chares/sending/orders.hpp"

namespace kaon::chares {

/// The ordering data that a broadcast of an ordered entry carries besides the arguments.
struct BroadcastOrder {
  OrderStamp stamp;             // in the line from its sender to all elements
  std::vector<HomeTurn> turns;  // of a share: one for each of its elements
};

/// Keeps broadcasts of one sender in order, in two steps. Every PE gets every broadcast of an array, so each PE begins
/// those of a sender in the order of their sending, one when the one before has been through its elements. Elements
/// that are at home then run them in this order. What a home sends after an element that has left takes turns, which
/// are looked at where the element is; an element that never left its home costs nothing here.
class BroadcastTurns {
 public:
  explicit BroadcastTurns(ElementTable& table);
  BroadcastTurns(const BroadcastTurns&) = delete;
  BroadcastTurns& operator=(const BroadcastTurns&) = delete;
  ~BroadcastTurns();

  // --- on every PE
  /// True if a broadcast may go through the elements of this PE. Otherwise it was taken, until its turn.
  bool is_due(const OrderStamp& stamp, Message& message);
  /// It has been through them, or will never come.
  void taken(const OrderStamp& stamp);
  void skipped(const OrderStamp& stamp);
  /// The sender has ended: this turn and those behind it will not come.
  void ended(const OrderStamp& stamp);

  // --- at the home of an element
  bool has_line(std::uint64_t element) const;
  HomeTurn next(std::uint64_t element);
  /// True if this PE is the home of a sparse array's element and the turn is of an earlier element of its number.
  bool is_of_earlier_life(std::uint64_t element, const HomeTurn& turn) const;
  void element_is_gone(std::uint64_t element);

  // --- where the element is
  bool is_due(std::uint64_t element, const HomeTurn& turn);
  /// A share for this element alone waits for its turn.
  void hold(std::uint64_t element, const HomeTurn& turn, Message& share);
  /// It is about to run: the next one follows, if it is here.
  void taken(std::uint64_t element, const HomeTurn& turn);
  /// The next turn of an element that leaves or ends; what it has held is added to `held`.
  HomeTurn take_line(std::uint64_t element, WorkList& held);
  void put_line(std::uint64_t element, const HomeTurn& next);

  void take_all_held(WorkList& held);
  std::uint64_t list_held(std::vector<std::string>& lines, std::size_t most) const;
  std::size_t count_lines() const;

 private:
  struct State;

  void enqueue_held(Message& message);

  ElementTable& table_;
  std::unique_ptr<State> state_;
};

/// Into a broadcast, which leaves now: the next place in the line from whose entry runs to all elements of its array.
/// Frees the message where it throws.
void give_broadcast_turn(OrderStamp& stamp, Message& message, Pe& pe);
/// A broadcast with this root could not be sent to a PE: those behind it do not wait for it there, nor below.
void skip_broadcast(Pe& pe, PeId to, CollectionId collection, PeId root, const OrderStamp& stamp);
/// Ends the line of broadcasts of a sender that has ended, on all PEs, from this one on.
void end_broadcasts(Pe& pe, CollectionId collection, const OrderStamp& stamp);
/// The same on this PE alone.
void skip_broadcast_here(Pe& pe, CollectionId collection, const OrderStamp& stamp);
/// A share for an element could not be sent.
void skip_share(ElementTable& table, std::uint64_t element, const HomeTurn& turn);

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kaon/chares/elements/table_part.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::chares {

class BroadcastTurns;
class ElementTable;

/// The place of a message in a line: what one sender sends to one element, by entries that keep order.
struct OrderStamp {
  std::uint64_t line = 0;    // its number, of the PE where it began
  std::uint64_t turn = 0;    // from 0 on
  CollectionId senders = 0;  // a line's number is of those of this collection
  std::uint32_t reserved = 0;
  std::uint64_t sender = 0;  // of these, or Orders::kNoElement
};

/// The place of a broadcast among those that the home of an element has sent after it. Lines of one home are numbered
/// from 1 on; a later life under the same index has a later line.
struct HomeTurn {
  std::uint64_t line = 0;
  std::uint64_t turn = 0;
};

/// One end of a line.
struct LineOut {
  std::uint64_t element;  // to which it leads
  std::uint64_t line;
  std::uint64_t next;  // turn
  CollectionId collection;
  CollectionId senders;
};
struct LineIn {
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};

  std::uint64_t line;
  std::uint64_t next;  // turn that may run
  CollectionId senders;
  std::uint32_t reserved = 0;
  std::uint64_t sender;
  std::uint64_t end = kOpen;  // the turn that will not come, as the sender has ended
};
/// Those of an element, which moves with them.
struct Lines {
  std::vector<LineOut> out;
  std::vector<LineIn> in;
  HomeTurn broadcasts;  // the next of its home
  bool empty() const { return out.empty() && in.empty() && broadcasts.line == 0; }
};

/// The lines of the elements that one PE has of a collection. Both ends move with their elements; messages that come
/// before their turn wait here, or go on after an element that has left.
class Orders final : public TablePart {
 public:
  static constexpr TableSlot kSlot = TableSlot::orders;

  explicit Orders(ElementTable& table);
  ~Orders() override;

  /// Stands for all senders that are no elements: a main task, or a function that was posted.
  static constexpr std::uint64_t kNoElement = ~std::uint64_t{0};

  /// In the place of an element and its collection: the line to all elements.
  static constexpr std::uint64_t kAllElements = 0;
  static constexpr CollectionId kToAll = CollectionId{1} << 31;  // more than numbers of collections have
  static constexpr CollectionId line_to_all(CollectionId collection) { return collection | kToAll; }
  static constexpr CollectionId collection_of_line(CollectionId named) { return named & ~kToAll; }

  /// The next place in the line from an element of this collection, or kNoElement, to one of any.
  OrderStamp next_stamp(std::uint64_t sender, CollectionId collection, std::uint64_t element);
  /// True if that line has begun.
  bool has_line(std::uint64_t sender, CollectionId collection, std::uint64_t element) const;
  /// True if a message for an element that is here may run. Otherwise it was taken, until its turn.
  bool is_due(const OrderStamp& stamp, Message& message);
  /// It is about to run: the next in its line follows, if it is here.
  void taken(const OrderStamp& stamp, std::uint64_t element);

  /// Takes the lines of an element that leaves. Its held messages are added to `held`, to be sent on after it.
  Lines take_lines(std::uint64_t element, WorkList& held);
  void put_lines(std::uint64_t element, const Lines& lines);
  /// An element has ended; as take_lines(). The lines from it end. One of a sparse array that is made under its index
  /// on this PE goes on with the lines to it, until their senders have begun others.
  void element_ended(std::uint64_t element, WorkList& held);
  void drop_messages() override;
  /// At the sender: ends a line to an element that is no more, if all of it has run. False: some of it is under way.
  bool end_line_out(std::uint64_t sender, CollectionId collection, std::uint64_t element, std::uint64_t line,
                    std::uint64_t next);
  /// At the receiver: `line.end` is known, or the sender has ended the line.
  void end_line_in(std::uint64_t element, const LineIn& line);
  void forget_line_in(std::uint64_t element, const LineIn& line);
  /// How many lines there are here, both ends of each counted.
  std::size_t count_lines() const;

  /// Those of broadcasts.
  BroadcastTurns& broadcasts();
  /// At its home: the line of its broadcasts ends.
  void element_is_gone(std::uint64_t element) override;

  std::uint64_t list_awaited(std::vector<std::string>& lines, std::size_t most) const override;

 private:
  struct State;

  WorkList take_all_held();
  void put_line_in(std::uint64_t element, const LineIn& line);

  ElementTable& table_;
  std::unique_ptr<State> state_;
};

/// The next place in the line from whose entry runs now on this PE to an element, or to all.
OrderStamp next_stamp(Pe& pe, CollectionId collection, std::uint64_t element);
OrderStamp next_stamp_to_all(Pe& pe, CollectionId collection);
/// The lines to a collection from senders that are no elements. nullptr: there are none.
Orders* orders_of_no_element(Pe& pe, CollectionId collection, std::uint64_t element);
/// Into `stamp`, which is in the message, for the element that it names. Frees the message where it throws, as
/// next_stamp() does.
void give_turn(OrderStamp& stamp, Message& message, Pe& pe);
/// Sends the message as a proxy does.
void send_to_element(Message& message, Pe& pe);
/// For a message that stands for one which will not come. False: it was taken, to another PE or until its turn.
bool may_skip_turn(Message& message, const OrderStamp& stamp, Pe& pe);

}  // namespace kaon::chares

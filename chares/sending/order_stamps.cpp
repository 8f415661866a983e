// SPDX-License-Identifier: Apache-2.0
// Turns of those who send, and what gives and skips them.
#include "kaon/chares/elements/destination.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/sending/early_lines.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

Orders* orders_of_no_element(Pe& pe, CollectionId collection, std::uint64_t element) {
  Orders* const early = early_lines(pe);
  if (early != nullptr && early->has_line(Orders::kNoElement, collection, element)) return early;
  ElementTable* const table = find_table(pe.collections(), collection);
  return table != nullptr ? table->find_part<Orders>() : nullptr;
}

namespace {

/// Where a line leads: to an element, or to all of a collection, which `named` says of the line.
struct LineTarget {
  CollectionId collection;
  std::uint64_t element;
  CollectionId named;
};

/// The lines of who is no element lie with the array that they lead to, and end with it; those that were begun before
/// this PE had made it go on where they are.
Orders& lines_of_no_element(Pe& pe, const LineTarget& to) {
  Orders* const early = early_lines(pe);
  if (early != nullptr && early->has_line(Orders::kNoElement, to.named, to.element)) return *early;
  ElementTable* const table = find_table(pe.collections(), to.collection);
  if (table != nullptr) return table->part<Orders>();
  proxy::check_usable(pe, to.collection);
  return make_early_lines(pe);
}

OrderStamp next_stamp(Pe& pe, const LineTarget& to) {
  const void* sender = pe.root() != nullptr ? pe.root()->element() : nullptr;
  if (sender != nullptr) {
    const auto& base = *static_cast<const ElementBase*>(sender);
    ElementTable& table = ElementAccess::table(base);
    return table.part<Orders>().next_stamp(table.number_of(base), to.named, to.element);
  }
  if (pe.is_stopped() && pe.collections().find(to.collection) == nullptr) return {};  // the message goes nowhere
  const CollectionId running = pe.root() == nullptr ? pe.running().collection() : kNoCollection;
  if (running != kNoCollection) {
    ElementTable& table = proxy::table_of(pe, running);
    const std::uint64_t number = pe.running().element_of(running);
    if (number != RunningEntry::kNoElement) return table.part<Orders>().next_stamp(number, to.named, to.element);
  }
  return lines_of_no_element(pe, to).next_stamp(Orders::kNoElement, to.named, to.element);
}

}  // namespace

OrderStamp next_stamp(Pe& pe, CollectionId collection, std::uint64_t element) {
  return next_stamp(pe, LineTarget{collection, element, collection});
}

OrderStamp next_stamp_to_all(Pe& pe, CollectionId collection) {
  return next_stamp(pe, LineTarget{collection, Orders::kAllElements, Orders::line_to_all(collection)});
}

void give_turn(OrderStamp& stamp, Message& message, Pe& pe) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until there is one
  stamp = next_stamp(pe, message.collection, message.element);
  (void)owned.release();
}

void send_to_element(Message& message, Pe& pe) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until its way is known
  const PeId to = proxy::destination_of(message.collection, message.element).to;
  pe.route(*owned.release(), to);
}

bool may_skip_turn(Message& message, const OrderStamp& stamp, Pe& pe) {
  pe.running().note(message, RunningEntry::kNoElement);
  ElementTable* const table = find_table(pe.collections(), message.collection);
  if (table == nullptr)
    take_absent(message, pe);
  else if (table->find(message.element) == nullptr)
    table->forwarding().forward(message);
  else if (table->part<Orders>().is_due(stamp, message)) {
    table->part<Orders>().taken(stamp, message.element);
    return true;
  }
  return false;
}

}  // namespace kaon::chares

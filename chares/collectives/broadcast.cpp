// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/broadcast.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/reply.hpp"

namespace kaon::chares {

SpanningTree tree_of(const Message& message, Pe& pe) {
  const PeId root = BroadcastTo::of(message).root;
  if (root >= pe.process().total_pes()) throw CorruptMessage("a broadcast has a root that does not exist");
  return tree_from(root, pe);
}

Recipients recipients_of(const Message& message, ElementTable& table) {
  const std::uint32_t section = BroadcastTo::of(message).section;
  if (section == 0) return Recipients::at_home(table);
  return Recipients::at_home(table, table.sections().at(section).homed);
}

void send_down(const Message& message, Pe& pe, const Answers& answers, const OrderStamp* order) {
  std::exception_ptr error;
  tree_of(message, pe).each_child(pe.id(), [&](PeId child) {
    try {
      if (error && order == nullptr) return;
      Message& copy = *message.entry->copy(message, pe.pool());
      copy.source = pe.id();
      copy.reply = answers.expect_reply();
      route_on(pe, copy, child);
    } catch (...) {
      if (!error) error = std::current_exception();
      if (order != nullptr) skip_broadcast(pe, child, message.collection, BroadcastTo::of(message).root, *order);
    }
  });
  if (error) std::rethrow_exception(error);
}

namespace {

// What cannot be copied is told to who awaits the result; those that have been asked run all the same.
void ask_below(const Message& message, Pe& pe, const Answers& answers, const OrderStamp* order) {
  try {
    send_down(message, pe, answers, order);
  } catch (...) {
    if (!message.reply) throw;
    answers.fail(std::current_exception());
  }
}

}  // namespace

void leave(Message& message, Pe& pe, const Answers& answers, const OrderStamp* order) {
  const CollectionId collection = message.collection;
  try {
    OwnedMessage owned(&message, {&pe.pool()});
    ask_below(message, pe, answers, order);
    message.reply = answers.expect_reply();
    route_on(pe, *owned.release(), pe.id());  // which packs, too, with --serialize-always
  } catch (...) {
    if (order != nullptr) skip_broadcast_here(pe, collection, *order);
    throw;
  }
  answers.all_are_asked(pe, false);
}

namespace {

/// Why a call of a section has no result.
constexpr char kSectionDestroyed[] =
    "its section was destroyed before all had been asked: let nobody use it who may come after destroy()";

/// False: its section was destroyed.
bool has_recipients(const Message& message, ElementTable& table) {
  const std::uint32_t section = BroadcastTo::of(message).section;
  return section == 0 || table.sections().find(section) != nullptr;
}

/// For the elements that its list names, or, with an empty one, for the one that the header names.
void take_share(Message& message, ElementTable& table, const BroadcastFunctions& functions,
                Answers (*start)(Message&, Pe&)) {
  std::vector<std::uint64_t> numbers = std::move(functions.numbers(message));
  const BroadcastOrder* const order = functions.order != nullptr ? &functions.order(message) : nullptr;
  if (order != nullptr && order->turns.size() != std::max<std::size_t>(numbers.size(), 1))
    throw CorruptMessage("a share of an ordered broadcast does not say the turn of each element");
  if (numbers.empty()) {
    if (table.find(message.element) == nullptr) {
      const bool is_late = order != nullptr &&
                           table.part<Orders>().broadcasts().is_of_earlier_life(message.element, order->turns.front());
      return is_late ? drop_as_gone(message, table.pe()) : table.forwarding().forward(message);
    }
    numbers.push_back(message.element);
  }
  Recipients recipients = Recipients::named(table, std::move(numbers));
  Delivery::start(message, table, start(message, table.pe()), std::move(recipients), functions);
}

}  // namespace

void take_broadcast(Message& message, Pe& pe, const BroadcastFunctions& functions, Answers (*start)(Message&, Pe&)) {
  ElementTable* const table = table_to_run_on(message, pe);
  if (table == nullptr) return;
  if (!(message.flags & kBroadcastMessage)) return take_share(message, *table, functions, start);
  const OrderStamp* const order = functions.order != nullptr ? &functions.order(message).stamp : nullptr;
  if (order != nullptr && !table->part<Orders>().broadcasts().is_due(*order, message)) return;
  // Who has had an exception of the first that failed may have destroyed the section, while this was on its way.
  if (message.reply && !has_recipients(message, *table)) [[unlikely]] {
    if (order != nullptr) table->part<Orders>().broadcasts().taken(*order);
    return drop(message, pe, kSectionDestroyed);
  }
  OwnedMessage owned(&message, {&pe.pool()});
  Recipients recipients = recipients_of(message, *table);
  const Answers answers = start(message, pe);
  if (BroadcastTo::of(message).root != pe.id()) ask_below(message, pe, answers, order);  // the root has, as it left
  Delivery::start(*owned.release(), *table, answers, std::move(recipients), functions);
}

std::exception_ptr some_were_not_asked() {
  return std::make_exception_ptr(UsageError(
      "the results of all elements of an array were awaited, but the array was destroyed before all had been asked"));
}

}  // namespace kaon::chares

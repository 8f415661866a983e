// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/broadcast.hpp"

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

void send_down(const Message& message, Pe& pe, const Answers& answers) {
  tree_of(message, pe).each_child(pe.id(), [&](PeId child) {
    Message& copy = *message.entry->copy(message, pe.pool());
    copy.source = pe.id();
    copy.reply = answers.expect_reply();
    route_on(pe, copy, child);
  });
}

namespace {

// What cannot be copied is told to who awaits the result; those that have been asked run all the same.
void ask_below(const Message& message, Pe& pe, const Answers& answers) {
  try {
    send_down(message, pe, answers);
  } catch (...) {
    if (!message.reply) throw;
    answers.fail(std::current_exception());
  }
}

}  // namespace

void leave(Message& message, Pe& pe, const Answers& answers) {
  OwnedMessage owned(&message, {&pe.pool()});
  ask_below(message, pe, answers);
  message.reply = answers.expect_reply();
  route_on(pe, *owned.release(), pe.id());  // which packs, too, with --serialize-always
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
  if (numbers.empty()) {
    if (table.find(message.element) == nullptr) return table.forward(message);
    numbers.push_back(message.element);
  }
  Recipients recipients = Recipients::named(table, std::move(numbers));
  Delivery::start(message, table, start(message, table.pe()), std::move(recipients), functions);
}

}  // namespace

void take_broadcast(Message& message, Pe& pe, const BroadcastFunctions& functions, Answers (*start)(Message&, Pe&)) {
  pe.running().note(message, RunningEntry::kNoElement);
  ElementTable* const table = living_table(message, pe);
  if (table == nullptr) return;
  if (!(message.flags & kBroadcastMessage)) return take_share(message, *table, functions, start);
  // Who has had an exception of the first that failed may have destroyed the section, while this was on its way.
  if (message.reply && !has_recipients(message, *table)) [[unlikely]]
    return drop(message, pe, kSectionDestroyed);
  OwnedMessage owned(&message, {&pe.pool()});
  Recipients recipients = recipients_of(message, *table);
  const Answers answers = start(message, pe);
  if (BroadcastTo::of(message).root != pe.id()) ask_below(message, pe, answers);  // the root has, as it left
  Delivery::start(*owned.release(), *table, answers, std::move(recipients), functions);
}

std::exception_ptr some_were_not_asked() {
  return std::make_exception_ptr(UsageError(
      "the results of all elements of an array were awaited, but the array was destroyed before all had been asked"));
}

}  // namespace kaon::chares

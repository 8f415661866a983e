// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>

#include "kaon/chares/collectives/delivery.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {

/// What the header of a broadcast has in the place of an element: the PE that is the root of its tree and the number of
/// a section, or 0 for all elements.
struct BroadcastTo {
  PeId root = 0;
  std::uint32_t section = 0;

  static BroadcastTo of(const Message& message) {
    return {static_cast<PeId>(message.element), static_cast<std::uint32_t>(message.element >> 32)};
  }
  std::uint64_t as_element() const { return std::uint64_t{section} << 32 | root; }
};

/// The tree down which a broadcast goes. Throws CorruptMessage.
SpanningTree tree_of(const Message& message, Pe& pe);
/// Whom it is for on this PE. Throws UsageError for a section that was destroyed.
Recipients recipients_of(const Message& message, ElementTable& table);

/// Why a call of a section has no result.
inline constexpr char kSectionDestroyed[] =
    "its section was destroyed before all had been asked: let nobody use it who may come after destroy()";
/// False: its section was destroyed.
inline bool has_recipients(const Message& message, ElementTable& table) {
  const std::uint32_t section = BroadcastTo::of(message).section;
  return section == 0 || table.sections().find(section) != nullptr;
}

/// Sends copies of a broadcast to the PEs below this one, each with the slot for its reply that `open_reply` gives.
/// They leave before the entry runs here, if it is a long one.
template <class OpenReply>
void send_down(const Message& message, Pe& pe, OpenReply open_reply) {
  pe.note_running(message, RunningEntry::kNoElement);
  tree_of(message, pe).each_child(pe.id(), [&](PeId child) {
    Message& copy = *message.entry->copy(message, pe.pool());
    copy.source = pe.id();
    copy.reply = open_reply();
    pe.route(copy, child);
  });
}

template <auto E, class C>
void deliver_broadcast(Message& message, ElementTable& table) {
  if (table.is_ending()) return drop(message, table.pe(), kArrayDestroyed);
  OwnedMessage owned(&message, {&table.pe().pool()});
  Recipients recipients = recipients_of(message, table);
  send_down(message, table.pe(), [] { return ReplyTo{}; });
  Delivery<E, C, NoAnswers>::start(*owned.release(), table, {}, std::move(recipients));
}

/// A broadcast whose results are combined on the way back up the tree: its own kind of message for each entry and
/// operation, because what comes back is the operation's to make.
template <auto E, class C, class Op>
class CallAll {
  using Target = Entry<E, C>;
  using Functions = typename Target::Functions;
  using Value = typename Target::Value;

 public:
  template <class... A>
  static Message& make(Pe& pe, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, std::forward<A>(arguments)...);
    message.flags |= kBroadcastMessage;
    return message;
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Message&>(work);
    ElementTable* const table = living_table(message, pe);
    if (table == nullptr) return;
    // Who has had an exception of the first that failed may have destroyed the section, while this was on its way.
    if (!has_recipients(message, *table)) [[unlikely]]
      return drop(message, pe, kSectionDestroyed);
    OwnedMessage owned(&message, {&pe.pool()});
    Recipients recipients = recipients_of(message, *table);
    using Answers = CombinedAnswers<Value, Op>;
    const Answers answers = Answers::start(pe, message);
    send_down(message, pe, [&] { return answers.expect_reply(); });
    Delivery<E, C, Answers>::start(*owned.release(), *table, answers, std::move(recipients));
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::template record<CallAll>(name(), &invoke, &element_family<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares

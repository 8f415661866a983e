// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/orders.hpp"

#include <map>
#include <unordered_map>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/proxy.hpp"
#include "kaon/chares/sending/early_lines.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {
namespace {

/// Two numbers that name something together.
struct Name {
  std::uint64_t number;
  CollectionId collection;
  friend bool operator==(const Name&, const Name&) = default;
};
struct HashOfName {
  std::size_t operator()(const Name& name) const {
    return static_cast<std::size_t>((name.number ^ std::uint64_t{name.collection} << 40) * 0x9e3779b97f4a7c15u);
  }
};

struct Out {
  std::uint64_t line;
  std::uint64_t next = 0;
  CollectionId senders;
};
struct In {
  std::uint64_t next = 0;
  std::map<std::uint64_t, Message*> held;  // by turn
};
template <class End>
using Ends = std::unordered_map<Name, End, HashOfName>;

constexpr int kLinesOfPe = 40;  // bits

}  // namespace

struct Orders::State {
  std::uint64_t lines = 0;                           // begun here
  std::unordered_map<std::uint64_t, Ends<Out>> out;  // by sender, then by receiver
  std::unordered_map<std::uint64_t, Ends<In>> in;    // by receiver, then by line
};

Orders::Orders(ElementTable& table) : table_(table), state_(std::make_unique<State>()) {}

Orders::~Orders() {
  WorkList held = take_all_held();
  while (Work* const work = held.take()) {
    auto& message = static_cast<Message&>(*work);
    message.entry->destroy(message, table_.pe().pool());
  }
}

OrderStamp Orders::next_stamp(std::uint64_t sender, CollectionId collection, std::uint64_t element) {
  Ends<Out>& ends = state_->out[sender];
  const auto [found, is_new] = ends.try_emplace({element, collection});
  Out& out = found->second;
  if (is_new) {
    out.line = std::uint64_t{table_.pe().id()} << kLinesOfPe | state_->lines++;
    out.senders = table_.id();
  }
  return {out.line, out.next++, out.senders};
}

bool Orders::has_line(std::uint64_t sender, CollectionId collection, std::uint64_t element) const {
  const auto found = state_->out.find(sender);
  return found != state_->out.end() && found->second.contains({element, collection});
}

bool Orders::is_due(const OrderStamp& stamp, Message& message) {
  In& in = state_->in[message.element][{stamp.line, stamp.senders}];
  if (stamp.turn == in.next) return true;
  in.held.emplace(stamp.turn, &message);
  table_.pe().count_dependent(1);
  return false;
}

void Orders::taken(const OrderStamp& stamp, std::uint64_t element) {
  In& in = state_->in[element][{stamp.line, stamp.senders}];
  ++in.next;
  const auto first = in.held.begin();
  if (first == in.held.end() || first->first != in.next) return;
  table_.pe().count_dependent(-1);
  table_.pe().enqueue(*first->second);
  in.held.erase(first);
}

namespace {

void take_held(In& in, Pe& pe, WorkList& held) {
  for (const auto& [turn, message] : in.held) {
    held.add(*message);
    pe.count_dependent(-1);
  }
  in.held.clear();
}

}  // namespace

Lines Orders::take_lines(std::uint64_t element, WorkList& held) {
  Lines lines;
  if (const auto found = state_->out.find(element); found != state_->out.end()) {
    for (const auto& [to, out] : found->second)
      lines.out.push_back({to.number, out.line, out.next, to.collection, out.senders});
    state_->out.erase(found);
  }
  if (const auto found = state_->in.find(element); found != state_->in.end()) {
    for (auto& [line, in] : found->second) {
      take_held(in, table_.pe(), held);
      lines.in.push_back({line.number, in.next, line.collection});
    }
    state_->in.erase(found);
  }
  return lines;
}

void Orders::put_lines(std::uint64_t element, const Lines& lines) {
  for (const LineOut& each : lines.out)
    state_->out[element][{each.element, each.collection}] = {each.line, each.next, each.senders};
  for (const LineIn& each : lines.in) state_->in[element][{each.line, each.senders}].next = each.next;
}

void Orders::element_ended(std::uint64_t element, WorkList& held) {
  state_->out.erase(element);
  const auto found = state_->in.find(element);
  if (found == state_->in.end()) return;
  for (auto& [line, in] : found->second) take_held(in, table_.pe(), held);
  if (!table_.is_sparse() || table_.is_of_singles()) state_->in.erase(found);
}

WorkList Orders::take_all_held() {
  WorkList held;
  for (auto& [element, lines] : state_->in)
    for (auto& [line, in] : lines) take_held(in, table_.pe(), held);
  return held;
}

std::uint64_t Orders::list_held(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  for (const auto& [element, ends] : state_->in) {
    for (const auto& [line, in] : ends) {
      for (const auto& [turn, message] : in.held) {
        ++count;
        if (lines.size() < most)
          lines.push_back("a message from PE " + std::to_string(message->source) + " to " +
                          readable_name(message->entry->name) + ", for " + table_.name_of(element) +
                          ", which waits for earlier ones of its sender");
      }
    }
  }
  return count;
}

namespace {

/// The lines of who is no element lie with the array that they lead to, and end with it; those that were begun before
/// this PE had made it go on where they are.
Orders& lines_of_no_element(Pe& pe, CollectionId collection, std::uint64_t element) {
  Orders* const early = early_lines(pe);
  if (early != nullptr && early->has_line(Orders::kNoElement, collection, element)) return *early;
  auto* const table = static_cast<ElementTable*>(pe.collections().find(collection));
  if (table != nullptr) return table->orders();
  proxy::check_usable(pe, collection);
  return make_early_lines(pe);
}

}  // namespace

OrderStamp next_stamp(Pe& pe, CollectionId collection, std::uint64_t element) {
  const void* sender = pe.root() != nullptr ? pe.root()->element() : nullptr;
  if (sender != nullptr) {
    const auto& base = *static_cast<const ElementBase*>(sender);
    ElementTable& table = ElementAccess::table(base);
    return table.orders().next_stamp(table.number_of(base), collection, element);
  }
  if (pe.is_stopped() && pe.collections().find(collection) == nullptr) return {};  // the message goes nowhere
  const CollectionId running = pe.root() == nullptr ? pe.running().collection() : kNoCollection;
  if (running != kNoCollection) {
    ElementTable& table = proxy::table_of(pe, running);
    const std::uint64_t number = pe.running().element_of(running);
    if (number != RunningEntry::kNoElement) return table.orders().next_stamp(number, collection, element);
  }
  return lines_of_no_element(pe, collection, element).next_stamp(Orders::kNoElement, collection, element);
}

void give_turn(OrderStamp& stamp, Message& message, Pe& pe) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until there is one
  stamp = next_stamp(pe, message.collection, message.element);
  (void)owned.release();
}

void send_to_element(Message& message, Pe& pe) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until its way is known
  const PeId to = proxy::way_to(message.collection, message.element).to;
  pe.route(*owned.release(), to);
}

bool may_skip_turn(Message& message, const OrderStamp& stamp, Pe& pe) {
  pe.running().note(message, RunningEntry::kNoElement);
  auto* const table = static_cast<ElementTable*>(pe.collections().find(message.collection));
  if (table == nullptr)
    take_absent(message, pe);
  else if (table->find(message.element) == nullptr)
    table->forward(message);
  else if (table->orders().is_due(stamp, message)) {
    table->orders().taken(stamp, message.element);
    return true;
  }
  return false;
}

}  // namespace kaon::chares

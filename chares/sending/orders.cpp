// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/orders.hpp"

#include <map>
#include <unordered_map>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/seeds.hpp"
#include "kaon/chares/sending/broadcast_turns.hpp"
#include "kaon/chares/sending/line_ends.hpp"
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
  std::uint64_t sender = 0;
  std::uint64_t end = LineIn::kOpen;
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
  std::unique_ptr<BroadcastTurns> broadcasts;        // nullptr: there were none
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
  return {.line = out.line, .turn = out.next++, .senders = out.senders, .sender = sender};
}

bool Orders::has_line(std::uint64_t sender, CollectionId collection, std::uint64_t element) const {
  const auto found = state_->out.find(sender);
  return found != state_->out.end() && found->second.contains({element, collection});
}

bool Orders::is_due(const OrderStamp& stamp, Message& message) {
  In& in = state_->in[message.element][{stamp.line, stamp.senders}];
  in.sender = stamp.sender;
  if (stamp.turn == in.next) return true;
  in.held.emplace(stamp.turn, &message);
  table_.pe().waits().count_dependent(1);
  return false;
}

void Orders::taken(const OrderStamp& stamp, std::uint64_t element) {
  Ends<In>& ends = state_->in[element];
  const auto found = ends.find({stamp.line, stamp.senders});
  In& in = found->second;
  if (++in.next == in.end) {
    ends.erase(found);
    return;
  }
  const auto first = in.held.begin();
  if (first == in.held.end() || first->first != in.next) return;
  table_.pe().waits().count_dependent(-1);
  table_.pe().enqueue(*first->second);
  in.held.erase(first);
}

namespace {

void take_held(In& in, Pe& pe, WorkList& held) {
  for (const auto& [turn, message] : in.held) {
    held.add(*message);
    pe.waits().count_dependent(-1);
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
      lines.in.push_back(
          {.line = line.number, .next = in.next, .senders = line.collection, .sender = in.sender, .end = in.end});
    }
    state_->in.erase(found);
  }
  if (state_->broadcasts != nullptr) lines.broadcasts = state_->broadcasts->take_line(element, held);
  return lines;
}

void Orders::put_lines(std::uint64_t element, const Lines& lines) {
  for (const LineOut& each : lines.out)
    state_->out[element][{each.element, each.collection}] = {each.line, each.next, each.senders};
  for (const LineIn& each : lines.in) put_line_in(element, each);
  if (lines.broadcasts.line != 0) broadcasts().put_line(element, lines.broadcasts);
}

void Orders::put_line_in(std::uint64_t element, const LineIn& line) {
  In& in = state_->in[element][{line.line, line.senders}];
  in.next = line.next;
  in.sender = line.sender;
  in.end = line.end;
}

void Orders::element_ended(std::uint64_t element, WorkList& held) {
  const Lines lines = take_lines(element, held);
  line_ends::sender_has_ended(table_.pe(), lines.out);
  if (!table_.is_sparse() || table_.is_ending()) return;
  if (table_.find_part<Seeds>() == nullptr)
    for (const LineIn& each : lines.in) put_line_in(element, each);
  line_ends::receiver_has_ended(table_, element, lines.in);
}

bool Orders::end_line_out(std::uint64_t sender, CollectionId collection, std::uint64_t element, std::uint64_t line,
                          std::uint64_t next) {
  const auto ends = state_->out.find(sender);
  if (ends == state_->out.end()) return true;
  const auto out = ends->second.find({element, collection});
  if (out == ends->second.end() || out->second.line != line) return true;
  if (out->second.next != next) return false;
  ends->second.erase(out);
  if (ends->second.empty()) state_->out.erase(ends);
  return true;
}

void Orders::end_line_in(std::uint64_t element, const LineIn& line) {
  In& in = state_->in[element][{line.line, line.senders}];
  in.end = line.end;
  if (in.next == in.end) forget_line_in(element, line);
}

void Orders::forget_line_in(std::uint64_t element, const LineIn& line) {
  const auto ends = state_->in.find(element);
  if (ends == state_->in.end()) return;
  ends->second.erase({line.line, line.senders});
  if (ends->second.empty()) state_->in.erase(ends);
}

std::size_t Orders::count_lines() const {
  std::size_t count = 0;
  for (const auto& [sender, ends] : state_->out) count += ends.size();
  for (const auto& [element, ends] : state_->in) count += ends.size();
  return count + (state_->broadcasts != nullptr ? state_->broadcasts->count_lines() : 0);
}

void Orders::element_is_gone(std::uint64_t element) {
  if (state_->broadcasts != nullptr) state_->broadcasts->element_is_gone(element);
}

BroadcastTurns& Orders::broadcasts() {
  if (state_->broadcasts == nullptr) state_->broadcasts = std::make_unique<BroadcastTurns>(table_);
  return *state_->broadcasts;
}

void Orders::drop_messages() {
  WorkList held = take_all_held();
  while (Work* const message = held.take()) drop(static_cast<Message&>(*message), table_.pe(), kArrayDestroyed);
}

WorkList Orders::take_all_held() {
  WorkList held;
  for (auto& [element, lines] : state_->in)
    for (auto& [line, in] : lines) take_held(in, table_.pe(), held);
  if (state_->broadcasts != nullptr) state_->broadcasts->take_all_held(held);
  return held;
}

std::uint64_t Orders::list_awaited(std::vector<std::string>& lines, std::size_t most) const {
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
  return count + (state_->broadcasts != nullptr ? state_->broadcasts->list_held(lines, most) : 0);
}

}  // namespace kaon::chares

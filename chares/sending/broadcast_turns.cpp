// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/broadcast_turns.hpp"

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/sending/receiver_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {
namespace {

/// Broadcasts of one sender, on one PE.
struct LineHere {
  std::uint64_t next = 0;                  // turn
  std::map<std::uint64_t, Message*> held;  // by turn
  std::set<std::uint64_t> skipped;         // turns that will never come
  std::uint64_t end = LineIn::kOpen;
};
/// What an element gets from its home.
struct FromHome {
  HomeTurn next;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Message*> held;  // by line and turn
};

}  // namespace

struct BroadcastTurns::State {
  std::map<std::pair<CollectionId, std::uint64_t>, LineHere> here;  // by the line's senders and number
  std::uint64_t lines = 0;                                          // begun by this home
  std::unordered_map<std::uint64_t, HomeTurn> out;                  // by element that is at home here
  std::unordered_map<std::uint64_t, FromHome> in;                   // by element that is here
};

BroadcastTurns::BroadcastTurns(ElementTable& table) : table_(table), state_(std::make_unique<State>()) {}

BroadcastTurns::~BroadcastTurns() {
  WorkList held;
  take_all_held(held);
  while (Work* const work = held.take()) {
    auto& message = static_cast<Message&>(*work);
    message.entry->destroy(message, table_.pe().pool());
  }
}

void BroadcastTurns::enqueue_held(Message& message) {
  table_.pe().waits().count_dependent(-1);
  table_.pe().enqueue(message);
}

// --- on every PE

bool BroadcastTurns::is_due(const OrderStamp& stamp, Message& message) {
  LineHere& line = state_->here[{stamp.senders, stamp.line}];
  if (stamp.turn == line.next) return true;
  line.held.emplace(stamp.turn, &message);
  table_.pe().waits().count_dependent(1);
  return false;
}

void BroadcastTurns::taken(const OrderStamp& stamp) {
  const auto found = state_->here.find({stamp.senders, stamp.line});
  LineHere& line = found->second;
  do ++line.next;
  while (line.skipped.erase(line.next) > 0);
  if (line.next == line.end) {
    state_->here.erase(found);
    return;
  }
  const auto first = line.held.begin();
  if (first == line.held.end() || first->first != line.next) return;
  enqueue_held(*first->second);
  line.held.erase(first);
}

void BroadcastTurns::skipped(const OrderStamp& stamp) {
  LineHere& line = state_->here[{stamp.senders, stamp.line}];
  if (line.next == stamp.turn)
    taken(stamp);
  else
    line.skipped.insert(stamp.turn);
}

void BroadcastTurns::ended(const OrderStamp& stamp) {
  LineHere& line = state_->here[{stamp.senders, stamp.line}];
  line.end = stamp.turn;
  if (line.next == line.end) state_->here.erase({stamp.senders, stamp.line});
}

// --- at the home of an element

bool BroadcastTurns::has_line(std::uint64_t element) const { return state_->out.contains(element); }

HomeTurn BroadcastTurns::next(std::uint64_t element) {
  const auto [found, is_new] = state_->out.try_emplace(element);
  if (is_new) found->second.line = ++state_->lines;
  const HomeTurn turn = found->second;
  ++found->second.turn;
  return turn;
}

bool BroadcastTurns::is_of_earlier_life(std::uint64_t element, const HomeTurn& turn) const {
  if (!table_.is_sparse() || !table_.sparse_locations().is_home(element)) return false;
  const auto line = state_->out.find(element);
  return line == state_->out.end() || line->second.line != turn.line;
}

void BroadcastTurns::element_is_gone(std::uint64_t element) { state_->out.erase(element); }

// --- where the element is

// What is of an earlier life is late and no more in any order; a later line begins with its first turn.
bool BroadcastTurns::is_due(std::uint64_t element, const HomeTurn& turn) {
  if (is_of_earlier_life(element, turn)) return true;
  FromHome& in = state_->in[element];
  if (turn.line < in.next.line) return true;
  if (turn.line == in.next.line) return turn.turn == in.next.turn;
  if (turn.turn != 0) return false;
  in.next = turn;
  while (!in.held.empty() && in.held.begin()->first.first < turn.line) {
    enqueue_held(*in.held.begin()->second);
    in.held.erase(in.held.begin());
  }
  return true;
}

void BroadcastTurns::hold(std::uint64_t element, const HomeTurn& turn, Message& share) {
  state_->in[element].held.emplace(std::pair{turn.line, turn.turn}, &share);
  table_.pe().waits().count_dependent(1);
}

void BroadcastTurns::taken(std::uint64_t element, const HomeTurn& turn) {
  const auto found = state_->in.find(element);
  if (found == state_->in.end() || turn.line != found->second.next.line) return;
  FromHome& in = found->second;
  ++in.next.turn;
  const auto first = in.held.find({in.next.line, in.next.turn});
  if (first == in.held.end()) return;
  enqueue_held(*first->second);
  in.held.erase(first);
}

namespace {

template <class Held>
void take_held(Held& from, Pe& pe, WorkList& held) {
  for (const auto& [turn, message] : from) {
    held.add(*message);
    pe.waits().count_dependent(-1);
  }
  from.clear();
}

}  // namespace

HomeTurn BroadcastTurns::take_line(std::uint64_t element, WorkList& held) {
  const auto found = state_->in.find(element);
  if (found == state_->in.end()) return {};
  const HomeTurn next = found->second.next;
  take_held(found->second.held, table_.pe(), held);
  state_->in.erase(found);
  return next;
}

void BroadcastTurns::put_line(std::uint64_t element, const HomeTurn& next) {
  if (next.line != 0) state_->in[element].next = next;
}

void BroadcastTurns::take_all_held(WorkList& held) {
  for (auto& [name, line] : state_->here) take_held(line.held, table_.pe(), held);
  for (auto& [element, in] : state_->in) take_held(in.held, table_.pe(), held);
}

std::uint64_t BroadcastTurns::list_held(std::vector<std::string>& lines, std::size_t most) const {
  std::uint64_t count = 0;
  const auto list = [&](const auto& held, const std::string& whom) {
    for (const auto& [turn, message] : held) {
      ++count;
      if (lines.size() < most)
        lines.push_back("a broadcast from PE " + std::to_string(message->source) + " to " +
                        readable_name(message->entry->name) + ", for " + whom +
                        ", which waits for earlier ones of its sender");
    }
  };
  for (const auto& [name, line] : state_->here) list(line.held, "elements of " + description_of(table_));
  for (const auto& [element, in] : state_->in) list(in.held, table_.name_of(element));
  return count;
}

std::size_t BroadcastTurns::count_lines() const { return state_->here.size() + state_->out.size() + state_->in.size(); }

// --- turns that are lost

namespace broadcast_turns {  // not unnamed: entries are told apart by their names

template <class Visit>
void each_child(Pe& pe, PeId root, Visit visit) {
  if (root >= pe.process().total_pes()) throw CorruptMessage("a broadcast has a root that does not exist");
  runtime::tree_from(root, pe).each_child(pe.id(), visit);
}

void skip_below(ElementTable& table, PeId root, OrderStamp stamp) {
  each_child(table.pe(), root, [&](PeId child) { skip_broadcast(table.pe(), child, table.id(), root, stamp); });
  table.part<Orders>().broadcasts().skipped(stamp);
}

void end_below(ElementTable& table, PeId root, OrderStamp stamp) {
  using Below = TableProcedure<&end_below>;
  each_child(table.pe(), root, [&](PeId child) { Below::send(table.pe(), child, table.id(), root, stamp); });
  table.part<Orders>().broadcasts().ended(stamp);
}

void skip_here(ElementTable& table, OrderStamp stamp) { table.part<Orders>().broadcasts().skipped(stamp); }

using Skipped = MessageFunctions<HomeTurn>;

void skip_at_element(Work& work, Pe& pe) {
  auto& message = static_cast<Skipped::Typed&>(work);
  ElementTable* const table = table_of_receiver(message, pe);
  if (table == nullptr) return;
  const HomeTurn turn = std::get<0>(message.arguments);
  BroadcastTurns& turns = table->part<Orders>().broadcasts();
  if (!turns.is_due(message.element, turn)) return turns.hold(message.element, turn, message);
  turns.taken(message.element, turn);
  Skipped::destroy(message, pe.pool());
  pe.count_done();
}

EntryRecord make_record() {
  EntryRecord made =
      Skipped::record("a broadcast that could not be sent to an element", &skip_at_element, &runtime::kAnyCollection);
  made.element_is_gone = [](Pe&, PeId, ReplyTo) {};
  made.needs_no_room = true;
  return made;
}

EntryRecord record = make_record();
const EntryRecord* const listed = enlist(record);

}  // namespace broadcast_turns

void give_broadcast_turn(OrderStamp& stamp, Message& message, Pe& pe) {
  runtime::OwnedMessage owned(&message, {&pe.pool()});  // until there is one
  stamp = next_stamp_to_all(pe, message.collection);
  (void)owned.release();
}

void skip_broadcast(Pe& pe, PeId to, CollectionId collection, PeId root, const OrderStamp& stamp) {
  TableProcedure<&broadcast_turns::skip_below>::send(pe, to, collection, root, stamp);
}

void end_broadcasts(Pe& pe, CollectionId collection, const OrderStamp& stamp) {
  TableProcedure<&broadcast_turns::end_below>::send(pe, pe.id(), collection, pe.id(), stamp);
}

void skip_broadcast_here(Pe& pe, CollectionId collection, const OrderStamp& stamp) {
  TableProcedure<&broadcast_turns::skip_here>::send(pe, pe.id(), collection, stamp);
}

void skip_share(ElementTable& table, std::uint64_t element, const HomeTurn& turn) {
  Pe& pe = table.pe();
  Message& message = broadcast_turns::Skipped::make(pe.pool(), *broadcast_turns::listed, turn);
  pe.route(addressed(message, table.id(), element), pe.id());  // and on from here
}

}  // namespace kaon::chares

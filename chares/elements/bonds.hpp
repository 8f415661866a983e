// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/chares/elements/placement.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::chares {

class ElementBase;
class ElementTable;

/// Which arrays a table's one lives together with. An array that is bound to a leader has its element of an index where
/// the leader's element of that index is: made there, and taken along whenever that moves. So what is local to one is
/// to the others, and between them only the leader's elements are told where to go.
/// The mates of a leader's element are those of the same index in the arrays that are bound.
class Bonds {
 public:
  bool has_leader() const { return leader_ != nullptr; }
  bool leads() const { return !bound_.empty(); }
  ElementTable* leader() const { return leader_; }
  const std::vector<ElementTable*>& bound() const { return bound_; }

 private:
  friend struct BondsAccess;

  ElementTable* leader_ = nullptr;
  std::vector<ElementTable*> bound_;  // in the order in which they were made, which is the same on all PEs
};

namespace bonds {

/// How the homes of an array are dealt that is bound to this one. Throws UsageError when none can be.
Map map_of_leader(const ElementTable& table);
/// The part of an array on this PE is bound to that of the leader of `to`, or to that itself. Throws UsageError when it
/// was destroyed.
void tie(ElementTable& table, Pe& pe, CollectionId to);
/// The part goes: what was bound to it is free.
void untie(ElementTable& table) noexcept;

/// The mates of an element of the leader, which are on this PE as it is.
struct Mate {
  ElementTable& table;
  ElementBase& element;
};
std::vector<Mate> mates_of(const ElementTable& table, std::uint64_t number);

/// True if the mates may leave with the element: no landing or departure keeps one, and none has a suspended entry.
/// mates_are_at_rest() allows each mate one entry that is suspended at a point of rest.
bool mates_are_free(const ElementTable& table, std::uint64_t number);
bool mates_are_at_rest(const ElementTable& table, std::uint64_t number);
/// Ends the mates' entries that wait at points of rest, and returns the messages that continue them.
std::vector<Message*> take_continuations(const ElementTable& table, std::uint64_t number);
/// Entries of the mates that wait at points of rest go on here.
void mates_stay(const ElementTable& table, std::uint64_t number);

/// An element of a bound array has been made here, beside that of its leader: its home hears of it.
void note_made(ElementTable& table, std::uint64_t number);

}  // namespace bonds
}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/elements/bonds.hpp"
#include "kaon/chares/elements/census.hpp"
#include "kaon/chares/elements/departures.hpp"
#include "kaon/chares/elements/element_type.hpp"
#include "kaon/chares/elements/elements.hpp"
#include "kaon/chares/elements/forwarding.hpp"
#include "kaon/chares/elements/holds.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/locations.hpp"
#include "kaon/chares/elements/reductions.hpp"
#include "kaon/chares/elements/sections.hpp"
#include "kaon/chares/elements/table_part.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

class SparseLocations;
class TableEnd;

/// One collection on one PE: its elements here, what is known of the others, and what waits for them. A PE that gets a
/// message for an element that has left sends it on and tells the sender. What the layers above keep with it are its
/// parts.
class ElementTable final : public Collection {
 public:
  ElementTable(Pe& pe, CollectionId id, const ElementType& type, Shape shape, Map map);
  ~ElementTable() override;

  CollectionId id() const { return id_; }
  Pe& pe() const { return pe_; }
  const ElementType& type() const { return type_; }
  const Shape& shape() const { return shape_; }
  Elements& elements() { return elements_; }
  /// Where those of a dense array are, as far as this PE knows.
  Locations& locations() { return locations_; }
  const Locations& locations() const { return locations_; }
  bool is_sparse() const { return sparse_ != nullptr; }
  /// The locations of a sparse array, in place of locations().
  SparseLocations& sparse_locations() const { return *sparse_; }
  Holds& holds() { return holds_; }
  Departures& departures() { return departures_; }
  Forwarding& forwarding() { return forwarding_; }
  const Forwarding& forwarding() const { return forwarding_; }
  Reductions& reductions() { return reductions_; }
  Sections& sections() { return sections_; }
  /// The census of a sparse array: counts the elements that take part in its reductions.
  Census& census() { return census_; }
  /// Which arrays this one lives together with.
  Bonds& bonds() { return bonds_; }
  const Bonds& bonds() const { return bonds_; }

  /// The part of a layer above; nullptr: it has none.
  template <class Part>
  Part* find_part() const {
    return static_cast<Part*>(parts_[static_cast<std::size_t>(Part::kSlot)].get());
  }
  /// Made of the table and `arguments` when it is first asked for.
  template <class Part, class... Arguments>
  Part& part(const Arguments&... arguments) {
    if (Part* const found = find_part<Part>()) [[likely]]
      return *found;
    parts_[static_cast<std::size_t>(Part::kSlot)] = std::make_unique<Part>(*this, arguments...);
    return *find_part<Part>();
  }

  /// By which messages name it: the linear index, or of a sparse array the number of the index.
  std::uint64_t number_of(const ElementBase& element) const { return elements_.number_of(element); }
  /// The element if it lives here.
  ElementBase* find(std::uint64_t element) const { return elements_.find(element); }
  /// An element lives here from now on, or no longer. The table owns it meanwhile.
  void adopt(ElementBase& element);
  void remove(ElementBase& element);

  /// Its array is destroyed: elements go, and none comes any more. It goes itself when nothing uses it.
  void begin_end(TableEnd& end);
  bool is_ending() const { return end_ != nullptr; }
  /// A use of it is over.
  void use_is_over() {
    if (end_ != nullptr) look_for_end();
  }
  /// With each part that it has.
  template <class Visit>
  void each_part(Visit visit) const {
    for (const auto& part : parts_)
      if (part != nullptr) visit(*part);
  }

 private:
  // --- Collection
  void destroy_tasks() override;
  void say_name(std::uint64_t element, ShortText& text) const override;
  std::uint64_t list_awaited(std::vector<std::string>& lines, std::size_t most) const override;
  std::uint64_t list_unclaimed(std::vector<std::string>& lines, std::size_t most) const override;

  void look_for_end();

  Pe& pe_;
  CollectionId id_;
  const ElementType& type_;
  Shape shape_;
  Locations locations_;
  std::unique_ptr<SparseLocations> sparse_;  // nullptr: the array is dense
  Elements elements_;
  Holds holds_;
  Bonds bonds_;
  Departures departures_{bonds_};
  Reductions reductions_;
  Sections sections_;
  Census census_;
  TableEnd* end_ = nullptr;
  std::array<std::unique_ptr<TablePart>, kTableSlots> parts_;
  Forwarding forwarding_;  // goes first, as its messages may hold landings
};

/// The part of a collection on the PE that has this table of them; nullptr: it has none yet, or none any more.
inline ElementTable* find_table(const CollectionTable& collections, CollectionId id) {
  return static_cast<ElementTable*>(collections.find(id));
}
/// The table whose elements are told where to go: the leader's of a bound array, else this one.
inline ElementTable& mover_of(ElementTable& table) {
  return table.bonds().has_leader() ? *table.bonds().leader() : table;
}
inline const ElementTable& mover_of(const ElementTable& table) {
  return table.bonds().has_leader() ? *table.bonds().leader() : table;
}
/// The place of an element that is about to be made here, and adopted or forgone.
ElementBase::Position position_in(ElementTable& table, std::uint64_t element, std::uint32_t next_reduction);
/// It was not made: that is also the end of what its constructor began before it threw.
void forgo(ElementTable& table, const ElementBase::Position& position, std::uint64_t element);
/// Where the class says that an element of its dense arrays is at first.
PeId place_of(const ElementTable& table, std::uint64_t element);
/// A message whose payloads were landed in the element has come to its entry.
inline void landed_message_came(ElementTable& table, std::uint64_t element) {
  table.holds().end(element);
  table.departures().element_is_at_rest(element);
}
/// Describes the array in readable text.
std::string description_of(const ElementTable& table);

/// The table of the chares of a class that are in no array: made when it is first asked for.
ElementTable& table_of_singles(Pe& pe, CollectionId id, const ElementType& type);

/// The run function of the record of a class that has single chares. It throws CorruptMessage, since no message is of
/// that record. The record's number is the number of the collection.
void refuse_to_run_single(Work& message, Pe& pe);

/// Takes a message for a collection that this PE does not have: it waits until that is made, or is dropped when it was
/// destroyed.
void take_absent(Message& message, Pe& pe);
/// The table that a message is for. nullptr: it took the message, as take_absent() does, or dropped it because its
/// array is being destroyed.
ElementTable* living_table(Message& message, Pe& pe);
/// The same for a message that begins to run, for no element: notes that.
ElementTable* table_to_run_on(Message& message, Pe& pe);
/// Releases a message of which nothing comes; who awaits its result gets a UsageError that says why, and of what the
/// entry was.
void drop(Message& message, Pe& pe, const std::string& why, const std::string& of = {});
/// The same of one that means nothing to an element that is no more: who asked hears that it has no result.
void drop_as_gone(Message& message, Pe& pe);
inline constexpr char kArrayDestroyed[] = "its array was destroyed";

/// Nothing of this message, whose payloads were landed in its element's memory, is used any more.
void free_landing(const Message& message) noexcept;

/// Destroys an element's suspended entries.
void destroy_tasks_of(ElementBase& element);

}  // namespace kaon::chares

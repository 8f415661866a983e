// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/collectives/reductions.hpp"
#include "kaon/chares/elements/bonds.hpp"
#include "kaon/chares/elements/census.hpp"
#include "kaon/chares/elements/element_type.hpp"
#include "kaon/chares/elements/elements.hpp"
#include "kaon/chares/elements/holds.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/locations.hpp"
#include "kaon/chares/elements/sections.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/runtime/messages/collection.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

class Balancing;
class Departure;
class Orders;
class Parcels;
class Pursuit;
class Resting;
class Seeds;
class TableEnd;

/// One collection on one PE: its elements here, what is known of the others, and what waits for them. A PE that gets a
/// message for an element that has left sends it on and tells the sender.
class ElementTable final : public Collection {
 public:
  ElementTable(Pe& pe, CollectionId id, const ElementType& type, Shape shape, Map map);
  ~ElementTable() override;

  CollectionId id() const { return id_; }
  Pe& pe() const { return pe_; }
  const ElementType& type() const { return type_; }
  const Shape& shape() const { return shape_; }
  bool is_sparse() const { return sparse_ != nullptr; }
  /// What a sparse array has in the place of locations() and placement(), which are a dense one's.
  SparseLocations& sparse_locations() { return *sparse_; }
  /// Of a node group: its element is the process', at home on the first of its PEs, and stays there.
  bool is_of_processes() const { return placement().map() == Map::one_per_process; }
  /// A group or a node group, whose chares stay where they are.
  bool is_of_places() const { return placement().map() >= Map::one_per_pe; }
  /// Of a node group: the element, where other PEs of the process find it from now on; and where this PE has found it.
  void publish(ElementBase& element);
  ElementBase* published();
  /// Its elements are in no array: see Singles.
  bool is_of_singles() const { return seeds_ != nullptr; }
  Seeds& seeds() { return *seeds_; }
  Elements& elements() { return elements_; }
  Locations& locations() { return locations_; }
  const Placement& placement() const { return locations_.placement(); }
  Holds& holds() { return holds_; }
  Reductions& reductions() { return reductions_; }
  /// How often elements have contributed here, to reductions over all of them.
  std::uint32_t contributions() const { return contributions_; }
  void note_contribution() { ++contributions_; }
  Sections& sections() { return sections_; }
  /// Of a sparse array: who takes part in its reductions.
  Census& census() { return census_; }
  CensusState& census_state() { return census_state_; }
  /// Which arrays this one lives together with.
  Bonds& bonds() { return bonds_; }
  const Bonds& bonds() const { return bonds_; }
  /// The table whose elements are told where to go: the leader's of a bound array, else this one.
  ElementTable& mover() { return bonds_.has_leader() ? *bonds_.leader() : *this; }
  const ElementTable& mover() const { return bonds_.has_leader() ? *bonds_.leader() : *this; }

  /// By which messages name it: the linear index, or of a sparse array the number of the index.
  std::uint64_t number_of(const ElementBase& element) const { return elements_.number_of(element); }
  /// For one that is about to be made here, and adopted or forgone.
  ElementBase::Position position(std::uint64_t element, std::uint32_t next_reduction);
  /// Also of what its constructor began before it threw.
  void forgo(const ElementBase::Position& position, std::uint64_t element);
  /// Throws UsageError when its elements cannot.
  void require_moving() const;
  /// Where the class says that an element of its dense arrays is at first.
  PeId place_of(std::uint64_t element) const;
  /// Where messages that are aggregated wait for company, for the parcels of this record.
  Parcels& parcels(const EntryRecord& record) {
    for (const auto& each : parcels_)
      if (each.first == &record) [[likely]]
        return *each.second;
    return make_parcels(record);
  }
  /// The order of messages to its elements, and of what they send themselves; made when it is first asked for.
  Orders& orders() { return orders_ != nullptr ? *orders_ : make_orders(); }
  bool has_orders() const { return orders_ != nullptr; }
  /// How often an element that lives here has moved, or, at its home, was last heard to have.
  std::uint32_t moves_of(std::uint64_t element) const {
    return is_sparse() ? sparse_->moves(element) : locations_.whereabouts(element).moves;
  }
  /// The element if it lives here.
  ElementBase* find(std::uint64_t element) const { return elements_.find(element); }
  /// The PE to send to for an element that is not here. Throws CorruptMessage when there is no such element.
  PeId where(std::uint64_t element) const;

  /// An element lives here from now on, or no longer. The table owns it meanwhile.
  void adopt(ElementBase& element);
  void remove(ElementBase& element);

  /// Takes a message whose element is not here: sends it on, or keeps it when the element is on its way here, or of a
  /// sparse array has yet to be inserted.
  void forward(Message& message);
  /// What it does with such a message.
  void send_on(Message& message, PeId to);
  void await_element(Message& message);
  void deliver_awaiting(std::uint64_t element);
  /// Sends on one that has been kept, or has it run when the element is here again.
  void pass_on(Message& message);
  /// The element is no more: what waits for it here, or comes, is dropped. Throws UsageError while elements wait for
  /// the result of a contribution, which would never come.
  void bury(std::uint64_t element);
  [[noreturn]] void throw_deleted_before_contribution() const;

  /// The ways out that elements have begun, by element; each ends itself.
  NumberMap<Departure*>& departures() { return departures_; }
  /// Whether the element is about to leave, by a way of its own or of the one that it is bound to.
  bool is_leaving(std::uint64_t element) const {
    return departures_.contains(element) || mover().departures_.contains(element);
  }
  bool has_leaving() const { return !departures_.empty() || !mover().departures_.empty(); }
  /// Who sends on messages after elements that have left, by element; each ends itself.
  NumberMap<Pursuit*>& pursuits() { return pursuits_; }
  /// Entries that wait at points of rest until their elements have left, by element.
  NumberMap<Resting*>& resting() { return resting_; }
  /// Its part in balancing the array; nullptr: the array is not balanced.
  Balancing* balancing() const { return balancing_.get(); }
  Balancing& begin_balancing(PeId centre);
  /// Elements that were made here less those that ended here: the sum over all PEs is how many there are, those on
  /// their way included. Of a sparse array those count whose insertion has begun, where it began: before whoever
  /// inserts them does anything else.
  std::int64_t population() const {
    return is_sparse() ? census_.all() : static_cast<std::int64_t>(elements_.count()) - moved_in_;
  }
  void note_moved_in(std::int64_t more) { moved_in_ += more; }

  /// Nothing holds the element here any more, or none of its entries is suspended.
  void element_is_at_rest(std::uint64_t element) {
    if (has_leaving()) try_departure(element);
  }
  /// A message whose payloads were landed in the element has come to its entry.
  void landed_message_came(std::uint64_t element) {
    holds_.end(element);
    element_is_at_rest(element);
  }

  /// Its array is destroyed: elements go, and none comes any more. It goes itself when nothing uses it.
  void begin_end(TableEnd& end);
  bool is_ending() const { return end_ != nullptr; }
  bool is_unused() const {
    return elements_.count() == 0 && !elements_.is_walked() && !reductions_.has_queued() && !sections_.have_queued();
  }
  /// A use of it is over.
  void use_is_over() {
    if (end_ != nullptr) look_for_end();
  }

  // --- Collection
  void destroy_tasks() override;
  void say_name(std::uint64_t element, ShortText& text) const override;
  std::uint64_t list_awaited(std::vector<std::string>& lines, std::size_t most) const override;
  std::uint64_t list_unclaimed(std::vector<std::string>& lines, std::size_t most) const override;
  /// Of the array, for people.
  std::string description() const;

 private:
  Parcels& make_parcels(const EntryRecord& record);
  Orders& make_orders();
  void drop_of_deleted(Message& message);
  WorkList take_awaiting(std::uint64_t element);
  bool is_known(std::uint64_t element) const;
  std::uint64_t list_waiting(std::uint64_t element, const WorkList& messages, std::vector<std::string>& lines,
                             std::size_t most) const;
  void look_for_end();
  void try_departure(std::uint64_t element);

  Pe& pe_;
  CollectionId id_;
  const ElementType& type_;
  Shape shape_;
  Locations locations_;
  std::unique_ptr<SparseLocations> sparse_;  // nullptr: the array is dense
  std::unique_ptr<Seeds> seeds_;             // nullptr: it is an array
  Elements elements_;
  Holds holds_;
  Reductions reductions_;
  std::uint32_t contributions_ = 0;
  Sections sections_;
  Census census_;
  CensusState census_state_;
  Bonds bonds_;
  NumberMap<WorkList*> awaiting_;  // messages for elements that are to come; the lists are of the pool
  NumberMap<Departure*> departures_;
  NumberMap<Pursuit*> pursuits_;
  NumberMap<Resting*> resting_;
  ElementBase* published_ = nullptr;  // nullptr: not of a node group, or not looked for
  std::int64_t moved_in_ = 0;         // less those that moved away
  std::unique_ptr<Balancing> balancing_;
  TableEnd* end_ = nullptr;
  std::vector<std::pair<const EntryRecord*, std::unique_ptr<Parcels>>> parcels_;  // few
  std::unique_ptr<Orders> orders_;                                                // nullptr: nobody asked for order
};

/// The table of the chares of a class that are in no array: made when it is first asked for.
ElementTable& table_of_singles(Pe& pe, CollectionId id, const ElementType& type);

/// What the record of a class that has single chares runs: no message is of it. The record's number is the
/// collection's.
void refuse_to_run_single(Work& message, Pe& pe);

/// Takes a message for a collection that this PE does not have: it waits until that is made, or is dropped when it was
/// destroyed.
void take_absent(Message& message, Pe& pe);
/// The table that a message is for. nullptr: it took the message, as take_absent() does, or dropped it because its
/// array is being destroyed.
ElementTable* living_table(Message& message, Pe& pe);
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/placement.hpp"
#include "kaon/chares/elements/taken_landings.hpp"
#include "kaon/runtime/pe/collection.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

class ElementTable;

/// Where an element is, as far as somebody knows: the PE, and how often the element had moved to be there, so that
/// later news are told from older ones.
struct Whereabouts {
  PeId pe = 0;
  std::uint32_t moves = 0;
};

class ReductionState;

/// One address for each class of chare, to tell them apart in messages from elsewhere.
template <class C>
inline constexpr char chare_type_of = 0;

/// What the runtime keeps in every chare: 24 bytes.
class ElementBase {
 public:
  ElementBase();  // takes its place from the ElementTable::Construction under way
  ElementBase(const ElementBase&) = delete;
  ElementBase& operator=(const ElementBase&) = delete;

 protected:
  ~ElementBase() = default;

 private:
  friend class ElementTable;
  template <class>
  friend class Chare;
  template <class, class>
  friend class Contribution;

  ElementTable* table_ = nullptr;
  std::uint64_t element_ = 0;      // linear index: 40 bits; the number of the next reduction: 24 bits
  RootTask* suspended_ = nullptr;  // entries of this element that wait
};

/// The elements of one collection on one PE, and what this PE knows of where the others are.
///
/// Each element has a home PE, by arithmetic. The home always knows where the element is; others send to where they
/// last knew it, or to the home. A PE that gets a message for an element that has left sends it on and tells the
/// sender.
class ElementTable : public Collection {
 public:
  ElementTable(Pe& pe, CollectionId id, const void* chare_type, Shape shape, Map map);
  ~ElementTable() override;

  CollectionId id() const { return id_; }
  Pe& pe() { return pe_; }
  const Shape& shape() const { return shape_; }
  const Placement& placement() const { return placement_; }

  /// The element if it lives here.
  ElementBase* find(std::uint64_t element) const {
    const std::uint64_t slot = element - first_;  // a block map's slot; others take the slow way
    if (slot < direct_) return slots_[slot];
    return find_elsewhere(element);
  }
  /// The PE to send to for an element that is not here. Throws CorruptMessage when there is no such element.
  PeId where(std::uint64_t element) const;

  /// Sends a message on whose element is not here, or keeps it when the element is on its way here.
  void forward(Message& message);
  void learn(std::uint64_t element, Whereabouts now);
  Whereabouts whereabouts(std::uint64_t element) const;

  /// An element lives here from now on, or no longer. The table owns it meanwhile.
  void adopt(ElementBase& element);
  void remove(ElementBase& element);

  /// The element is no more: what waits for it here, or comes, is dropped. Throws UsageError while elements wait for
  /// the result of a contribution, which would never come.
  void bury(std::uint64_t element);
  bool has_deleted() const { return !deleted_.empty(); }
  [[noreturn]] void throw_deleted_before_contribution() const;

  /// While one is alive, a chare that is constructed on this thread gets this place, so that its constructor can use
  /// it.
  class Construction {
   public:
    Construction(ElementTable& table, std::uint64_t element_and_reduction);
    ~Construction();
    Construction(const Construction&) = delete;
    Construction& operator=(const Construction&) = delete;
  };

  /// While it is held an element must not leave: transfers into its memory are under way.
  void hold(std::uint64_t element) { ++holds_[element].messages; }
  void let_go(std::uint64_t element, const Message& message) {
    const auto held = holds_.find(element);
    held->second.landings.let_go(message);
    if (--held->second.messages == 0) holds_.erase(held);
  }
  /// Where messages of an element whose entries have not run yet were landed.
  TakenLandings& taken_landings(std::uint64_t element) { return holds_[element].landings; }
  const TakenLandings* find_taken_landings(std::uint64_t element) const {
    const auto held = holds_.find(element);
    return held != holds_.end() ? &held->second.landings : nullptr;
  }
  bool is_held(std::uint64_t element) const { return holds_.contains(element); }

  std::uint64_t local_count() const { return local_count_; }
  /// The local elements in some order: places from 0 to places() - 1, some of them nullptr.
  std::uint64_t places() const { return slots_.size() + visitors_.size(); }
  ElementBase* at_place(std::uint64_t place) const {
    return place < slots_.size() ? slots_[place] : visitors_[place - slots_.size()];
  }

  static std::uint64_t index_of(const ElementBase& element) { return element.element_ & kIndexMask; }
  static ElementTable& of(const ElementBase& element) { return *element.table_; }
  static std::uint64_t packed_place_of(const ElementBase& element) { return element.element_; }
  static std::uint32_t next_reduction(ElementBase& element);
  /// Number of the next reduction, at most, of elements that have moved here.
  std::uint32_t newest_arrival() const { return newest_arrival_; }
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<ReductionState>>& reductions() { return reductions_; }

  static void add_suspended(ElementBase& element, RootTask& task);
  static void remove_suspended(ElementBase& element, RootTask& task);
  static bool has_suspended(const ElementBase& element) { return element.suspended_ != nullptr; }
  void destroy_tasks() override;
  std::string name_of(std::uint64_t element) const override;
  static void destroy_tasks_of(ElementBase& element);

 protected:
  /// Destroys all elements; for the typed class' destructor.
  template <class C>
  void destroy_all() {
    for (std::uint64_t place = 0; place < places(); ++place) delete static_cast<C*>(at_place(place));
    slots_.clear();
    visitors_.clear();
  }

 private:
  static constexpr std::uint64_t kIndexBits = 40;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;

  ElementBase* find_elsewhere(std::uint64_t element) const;
  void await_element(Message& message);
  void drop(Message& message);
  void deliver_awaiting(std::uint64_t element);
  void remove_visitor(std::uint64_t index);

  Pe& pe_;
  CollectionId id_;
  Shape shape_;
  Placement placement_;
  std::uint64_t first_;   // of the elements whose home is here, if they are a block
  std::uint64_t direct_;  // how many of them; 0 for other maps
  std::uint64_t local_count_ = 0;
  std::uint32_t newest_arrival_ = 0;
  std::vector<ElementBase*> slots_;                                   // by slot; nullptr: it has left
  std::vector<ElementBase*> visitors_;                                // at home elsewhere
  boost::unordered_flat_map<std::uint64_t, Whereabouts> known_;       // of elements that have moved
  boost::unordered_flat_map<std::uint64_t, std::size_t> visitor_at_;  // index in visitors_
  boost::unordered_flat_map<std::uint64_t, Message*> awaiting_;       // for elements on their way here; by element
  boost::unordered_flat_set<std::uint64_t> deleted_;                  // elements that died here or are at home here
  struct Hold {
    std::uint32_t messages = 0;
    TakenLandings landings;
  };
  boost::unordered_flat_map<std::uint64_t, Hold> holds_;  // of elements that are held
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<ReductionState>> reductions_;
};

}  // namespace kaon::chares

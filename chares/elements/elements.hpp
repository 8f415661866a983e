// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/chares/elements/element_base.hpp"
#include "kaon/chares/elements/placement.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// The elements of a collection that live on one PE: of a dense array those at home here in an array, visitors beside
/// it; of a sparse one all are visitors.
class Elements {
 public:
  Elements(const Placement& placement, PeId pe);
  struct Sparse {};
  explicit Elements(Sparse);

  ElementBase* find(std::uint64_t element) const {
    const std::uint64_t slot = element - first_;  // if they follow each other; others take the slow way
    if (slot < direct_) return slots_[slot];
    return find_elsewhere(element);
  }
  void add(ElementBase& element);
  /// It is not met any more. Of a sparse array its place stays until tidy(), so that it knows its index to its end.
  void remove(ElementBase& element);
  void tidy() {
    if (walks_ == 0) close_gaps();
  }
  std::uint64_t count() const { return count_; }
  /// Adjusts the number of elements that have moved here, less those that have moved away.
  void note_moved_in(std::int64_t more) { moved_in_ += more; }
  std::int64_t moved_in() const { return moved_in_; }

  bool is_sparse() const { return is_sparse_; }
  /// Reserves a place in a sparse array for an element that is about to be made, and then added or forgone.
  std::uint64_t reserve(std::uint64_t number);
  void forgo(std::uint64_t place);
  std::uint64_t number_of(const ElementBase& element) const {
    return is_sparse_ ? numbers_[ElementAccess::place(element)] : ElementAccess::index(element);
  }

  /// They stand in some order at the places from 0 to places() - 1, of which some are empty. While a Walk is under way
  /// no element changes its place, so that one that was there all the time is met once.
  std::uint64_t places() const { return slots_.size() + visitors_.size(); }
  ElementBase* at_place(std::uint64_t place) const {
    return place < slots_.size() ? slots_[place] : visitors_[place - slots_.size()];
  }
  class Walk {
   public:
    explicit Walk(Elements& elements) : elements_(elements) { ++elements_.walks_; }
    ~Walk() {
      --elements_.walks_;
      elements_.tidy();
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

   private:
    Elements& elements_;
  };

  bool is_walked() const { return walks_ > 0; }

  template <class Visit>
  void each(Visit visit) const {
    for (std::uint64_t place = 0; place < places(); ++place)
      if (ElementBase* element = at_place(place)) visit(*element);
  }
  void clear() {
    slots_.clear();
    visitors_.clear();
  }

 private:
  ElementBase* find_elsewhere(std::uint64_t element) const;
  std::size_t place_of_visitor(const ElementBase& element) const;
  void close_gaps();
  void move_visitor(std::size_t from, std::size_t to);

  const Placement placement_;
  PeId pe_;
  bool is_sparse_;
  std::uint64_t first_;   // of the elements whose home is here, if they follow each other
  std::uint64_t direct_;  // how many of them; 0 if they do not
  std::uint64_t count_ = 0;
  std::int64_t moved_in_ = 0;
  std::vector<ElementBase*> slots_;     // by slot; nullptr: it has left
  std::vector<ElementBase*> visitors_;  // at home elsewhere; nullptr: a gap
  NumberMap<std::size_t> visitor_at_;   // index in visitors_
  std::vector<std::uint64_t> numbers_;  // of a sparse array: of the visitors, those to be included
  std::size_t gaps_ = 0;
  int walks_ = 0;
};

}  // namespace kaon::chares

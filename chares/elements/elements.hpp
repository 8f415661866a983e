// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/chares/elements/element_base.hpp"
#include "kaon/chares/elements/placement.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// The elements of a collection that live on one PE: those at home here in an array, visitors beside it.
class Elements {
 public:
  Elements(const Placement& placement, PeId pe);

  ElementBase* find(std::uint64_t element) const {
    const std::uint64_t slot = element - first_;  // if they follow each other; others take the slow way
    if (slot < direct_) return slots_[slot];
    return find_elsewhere(element);
  }
  void add(ElementBase& element);
  void remove(ElementBase& element);
  std::uint64_t count() const { return count_; }

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
      if (--elements_.walks_ == 0) elements_.close_gaps();
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
  void close_gaps();

  const Placement placement_;
  PeId pe_;
  std::uint64_t first_;   // of the elements whose home is here, if they follow each other
  std::uint64_t direct_;  // how many of them; 0 if they do not
  std::uint64_t count_ = 0;
  std::vector<ElementBase*> slots_;     // by slot; nullptr: it has left
  std::vector<ElementBase*> visitors_;  // at home elsewhere; nullptr: a gap
  NumberMap<std::size_t> visitor_at_;   // index in visitors_
  std::size_t gaps_ = 0;
  int walks_ = 0;
};

}  // namespace kaon::chares

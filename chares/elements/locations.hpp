// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/elements/placement.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

/// Where an element is, as far as somebody knows: the PE, and how often the element had moved to be there, so that
/// later news are told from older ones.
struct Whereabouts {
  PeId pe = 0;
  std::uint32_t moves = 0;
};

/// Locations of the elements of a collection, as one PE knows them. Each element has a home PE, by arithmetic, which
/// always knows where it is. Other PEs send to its last location known to them, or to the home.
class Locations {
 public:
  explicit Locations(const Placement& placement) : placement_(placement) {}

  const Placement& placement() const { return placement_; }
  /// The PE to send to for an element that is not here.
  PeId find(std::uint64_t element) const {
    const auto known = known_.find(element);
    return known ? known->pe : placement_.home(element);
  }
  Whereabouts whereabouts(std::uint64_t element) const {
    return known_.find(element).value_or(Whereabouts{placement_.home(element), 0});
  }
  void learn(std::uint64_t element, Whereabouts now) {
    const auto known = known_.find(element);
    if (!known || now.moves >= known->moves) known_.set(element, now);
  }

  /// Elements that are no more, as far as this PE has to know: they died here or are at home here.
  void bury(std::uint64_t element) { deleted_.set(element, 1); }
  bool is_deleted(std::uint64_t element) const { return deleted_.contains(element); }
  bool has_deleted() const { return !deleted_.empty(); }
  template <class Visit>
  void each_deleted(Visit visit) const {
    deleted_.each([&](std::uint64_t element, std::uint64_t) { visit(element); });
  }

 private:
  Placement placement_;
  NumberMap<Whereabouts> known_;      // of elements that have moved
  NumberMap<std::uint64_t> deleted_;  // the values say nothing
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/chares/elements/bonds.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

class PendingDeparture;
class Resting;

/// The elements of one PE that are about to leave it. One that is bound to another leaves with that one, whose
/// departure counts as its own.
class Departures {
 public:
  explicit Departures(const Bonds& bonds) : bonds_(bonds) {}
  Departures(const Departures&) = delete;
  Departures& operator=(const Departures&) = delete;

  /// Those that have begun, by element; each ends itself.
  NumberMap<PendingDeparture*>& begun() { return begun_; }
  bool has_begun(std::uint64_t element) const { return begun_.contains(element); }
  /// Entries that wait at points of rest until their elements have left, by element.
  NumberMap<Resting*>& resting() { return resting_; }

  bool is_leaving(std::uint64_t element) const {
    return has_begun(element) || (bonds_.has_leader() && leaders().has_begun(element));
  }
  bool has_leaving() const { return !begun_.empty() || (bonds_.has_leader() && !leaders().begun_.empty()); }
  /// Nothing holds the element here any more, or none of its entries is suspended.
  void element_is_at_rest(std::uint64_t element) {
    if (has_leaving()) attempt(element);
  }

  /// Same as Collection::list_awaited(), for departures that something of their element holds up.
  std::uint64_t list_held_up(std::vector<std::string>& lines, std::size_t most) const;

 private:
  Departures& leaders() const;
  void attempt(std::uint64_t element);

  const Bonds& bonds_;
  NumberMap<PendingDeparture*> begun_;
  NumberMap<Resting*> resting_;
};

}  // namespace kaon::chares

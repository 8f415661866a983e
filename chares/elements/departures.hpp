// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/memory/number_map.hpp"

namespace kaon::chares {

class Departure;
class Resting;

/// The elements of one PE that are about to leave it. One that is bound to another leaves with that one, whose
/// departure counts as its own.
class Departures {
 public:
  /// Those that have begun, by element; each ends itself.
  NumberMap<Departure*>& begun() { return begun_; }
  bool has_begun(std::uint64_t element) const { return begun_.contains(element); }
  /// Entries that wait at points of rest until their elements have left, by element.
  NumberMap<Resting*>& resting() { return resting_; }

  bool is_leaving(std::uint64_t element) const {
    return begun_.contains(element) || (leader_ != nullptr && leader_->begun_.contains(element));
  }
  bool has_leaving() const { return !begun_.empty() || (leader_ != nullptr && !leader_->begun_.empty()); }
  /// Nothing holds the element here any more, or none of its entries is suspended.
  void element_is_at_rest(std::uint64_t element) {
    if (has_leaving()) attempt(element);
  }

  /// Of the array to which this one is bound from now on; nullptr: it is free.
  void follow(Departures* leader) { leader_ = leader; }

  /// As Collection::list_awaited(): those that something of their element holds up.
  std::uint64_t list_held_up(std::vector<std::string>& lines, std::size_t most) const;

 private:
  void attempt(std::uint64_t element);

  NumberMap<Departure*> begun_;
  NumberMap<Resting*> resting_;
  Departures* leader_ = nullptr;
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::chares {

/// How the elements of an array are dealt to the PEs at first.
enum class Map : std::uint8_t {
  block,            // neighbours by index stay together
  round_robin,      // element i goes to PE i modulo the number of PEs
  one_per_pe,       // of a group: element i stays on PE i
  one_per_process,  // of a node group: element i stays on the first PE of process i
};

/// Home PEs of elements 0 to count - 1, and the place (slot) of each among those of its home. Pure arithmetic, the same
/// on every PE, so that a home is known without asking.
class Placement {
 public:
  Placement(Map map, std::uint64_t count, PeId pes)
      : map_(map), pes_(pes), count_(count), least_(count / pes), extra_(count % pes) {
    if (map == Map::one_per_process) pes_of_process_ = pes / static_cast<PeId>(count);
  }

  PeId home(std::uint64_t element) const {
    if (map_ == Map::round_robin) return static_cast<PeId>(element % pes_);
    if (map_ == Map::one_per_process) return static_cast<PeId>(element) * pes_of_process_;
    const std::uint64_t larger = extra_ * (least_ + 1);  // elements on the first PEs, which have one more
    if (element < larger) return static_cast<PeId>(element / (least_ + 1));
    return static_cast<PeId>(extra_ + (element - larger) / least_);
  }

  std::uint64_t homed(PeId pe) const {
    if (map_ == Map::one_per_process) return pe % pes_of_process_ == 0 ? 1 : 0;
    return least_ + (pe < extra_ ? 1 : 0);
  }

  /// The slot of an element on `pe` if that is its home, else a number that is no slot there.
  std::uint64_t slot(std::uint64_t element, PeId pe) const {
    if (map_ == Map::block) return element - first(pe);  // wraps around below the first
    if (pes_ == 1) return element;
    if (map_ == Map::one_per_process) return home(element) == pe ? 0 : ~std::uint64_t{0};
    return element % pes_ == pe ? element / pes_ : ~std::uint64_t{0};
  }

  std::uint64_t element(PeId pe, std::uint64_t slot) const {
    if (map_ == Map::one_per_process) return pe / pes_of_process_;
    return map_ == Map::block ? first(pe) + slot : slot * pes_ + pe;
  }

  /// True if the elements of a PE have consecutive numbers.
  bool is_contiguous() const { return map_ == Map::block || pes_ == 1; }
  std::uint64_t count() const { return count_; }
  Map map() const { return map_; }
  /// True for a node group: each process has one element, which stays at home on the first PE of the process.
  bool is_of_processes() const { return map_ == Map::one_per_process; }
  /// True for a group or a node group, whose chares do not migrate.
  bool is_of_places() const { return map_ >= Map::one_per_pe; }

 private:
  std::uint64_t first(PeId pe) const { return pe * least_ + (pe < extra_ ? pe : extra_); }

  Map map_;
  PeId pes_;
  PeId pes_of_process_ = 1;
  std::uint64_t count_;
  std::uint64_t least_;  // elements on every PE
  std::uint64_t extra_;  // PEs that have one more
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::chares {

using runtime::PeId;

/// What one element took since the last step.
struct ElementLoad {
  std::uint64_t element = 0;  // linear index, or in a sparse array the number of its index
  double seconds = 0;         // of its PE, and what the program has added
  PeId pe = 0;                // where it is
  std::uint8_t can_move = 1;  // 0: others of its entries are suspended; it stays, whatever a strategy says
};

/// What elements of the report had to do with each other, as far as the program has said.
struct Traffic {
  std::uint64_t from = 0, to = 0;  // elements
  double bytes = 0;
};

/// What a strategy is asked about: the elements of an array, in ascending order.
struct LoadReport {
  PeId pes = 1;
  int processes = 1;  // each has the same number of PEs, those of the first come first
  std::vector<ElementLoad> elements;
  std::vector<Traffic> traffic;
  double step_seconds = 0;  // what the last step took in which elements moved, from the barrier to its end; 0: none yet
  std::uint64_t step_moves = 0;  // of that

  int process_of(PeId pe) const { return static_cast<int>(pe / (pes / static_cast<PeId>(processes))); }
  /// As they are.
  std::vector<PeId> places() const;
  /// Seconds of each PE when the elements are at these places.
  std::vector<double> loads(const std::vector<PeId>& places) const;
};

/// Says to which PE each element of a report is to go: one for each, in the same order. A plain function or anything
/// that can be called like one.
using Strategy = std::function<std::vector<PeId>(const LoadReport&)>;

/// What a step of balancing did.
struct BalanceStep {
  std::uint64_t elements = 0;
  std::uint64_t moved = 0;
  double mean_seconds = 0;                 // of a PE, since the last step
  double most_before = 0, most_after = 0;  // of the PE that has most; after: predicted
  double taken_seconds = 0;                // by the step itself
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::chares {

using runtime::PeId;

/// The load of one element since the last step.
struct ElementLoad {
  std::uint64_t element = 0;       // linear index, or in a sparse array the number of its index
  double seconds = 0;              // of its PE and its device, and what the program has added
  PeId pe = 0;                     // where it is
  std::uint8_t can_move = 1;       // 0: others of its entries are suspended; it stays, whatever a strategy says
  double device_seconds = 0;       // those of its device, among `seconds`
  std::uint64_t device_bytes = 0;  // that it holds in the memory of its device, and takes along
};

/// The traffic between two elements of the report: the counted messages from one to the other, and what the program has
/// added.
struct Traffic {
  std::uint64_t from = 0, to = 0;  // elements
  double bytes = 0;
  double messages = 0;
};

/// The memory of a PE's device.
struct DeviceMemory {
  int device = -1;         // of the run: PEs that share one have one number; -1: there is none
  std::uint64_t room = 0;  // bytes that may still be taken
};

/// The input of a strategy: the elements of an array, in ascending order.
struct LoadReport {
  PeId pes = 1;
  int processes = 1;  // each has the same number of PEs, those of the first come first
  std::vector<ElementLoad> elements;
  std::vector<Traffic> traffic;  // for strategies that look at it: see Strategy
  double step_seconds = 0;  // what the last step took in which elements moved, from the barrier to its end; 0: none yet
  std::uint64_t step_moves = 0;      // of that
  std::vector<DeviceMemory> memory;  // by PE; empty: the program uses no devices

  int process_of(PeId pe) const { return static_cast<int>(pe / (pes / static_cast<PeId>(processes))); }
  /// The PEs where the elements are now.
  std::vector<PeId> places() const;
  /// Seconds of each PE when the elements are at these places.
  std::vector<double> loads(const std::vector<PeId>& places) const;
  /// How many of them say that an element is to move.
  std::size_t moves(const std::vector<PeId>& places) const;
};

/// The same places, but elements stay whose device memory would not fit into what has been free on the device they are
/// to go to: of these the lightest. Memory that others leave there is not reckoned with: who comes may come first. Says
/// how many stay.
std::size_t keep_what_does_not_fit(const LoadReport& report, std::vector<PeId>& places);

/// The outcome of a step of balancing.
struct BalanceStep {
  std::uint64_t elements = 0;
  std::uint64_t moved = 0;
  double mean_seconds = 0;                 // of a PE, since the last step
  double most_before = 0, most_after = 0;  // of the PE that has most; after: predicted
  double taken_seconds = 0;                // by the step itself
  std::uint64_t calls = 1;      // of rebalance() since the last step: more than one where most of them do not wait
  std::uint64_t too_large = 0;  // moves that were left out as a device's memory was too small for them
  bool was_worth = true;  // false: automatic() has left all where they are, as moving them costs more than it brings

  /// In a few words, for people.
  std::string text() const;
};

/// The outcome of the balancing of an array so far.
struct BalancingReport {
  std::string array;  // for people
  std::uint64_t steps = 0;
  std::uint64_t moved = 0;
  double taken_seconds = 0;
  std::vector<BalanceStep> latest;  // the oldest first; a thousand at most

  /// A line for all, and one for each of the latest steps.
  std::string text() const;
};

}  // namespace kaon::chares

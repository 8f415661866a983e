// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/ports/roster.hpp"

namespace kaon::chares {

/// The PEs of a run as a grid of up to three dimensions: rows and columns of processes, and the PEs of each process.
/// What one PE sends to any other goes along one dimension at a time: between processes first, from PE to PE of one
/// number in theirs, and within the last process to the PE that it is for. So each PE sends to few, and what it sends
/// to one of them is much (the virtual topologies of TRAM: Wesolowski and others, TRAM: Optimizing Fine-grained
/// Communication with Topological Routing and Aggregation of Messages, ICPP 2014). Few processes are one row.
class PeGrid {
 public:
  PeGrid(const runtime::Roster& roster, PeId here);

  /// The number of PEs of the run.
  PeId pes() const { return static_cast<PeId>(lanes_.size()); }
  /// The PE to send to what is for PE `to`, another one.
  PeId next_hop(PeId to) const;
  /// The number of that PE among those that this PE sends to.
  std::uint32_t lane(PeId to) const { return lanes_[to]; }
  std::uint32_t lanes() const { return static_cast<std::uint32_t>(hops_.size()); }
  PeId hop(std::uint32_t lane) const { return hops_[lane]; }

 private:
  static constexpr int kMostInOneRow = 8;

  int next_process(int to) const;

  PeId pes_per_process_;
  PeId here_;
  int processes_;
  int columns_;
  std::vector<std::uint32_t> lanes_;  // by PE
  std::vector<PeId> hops_;            // by lane
};

}  // namespace kaon::chares

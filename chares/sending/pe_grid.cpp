// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/pe_grid.hpp"

#include <map>

namespace kaon::chares {
namespace {

/// So many that there are hardly more rows than columns.
int columns_for(int processes, int most_in_one_row) {
  if (processes <= most_in_one_row) return processes;
  int columns = 1;
  while (columns * columns < processes) ++columns;
  return columns;
}

}  // namespace

PeGrid::PeGrid(const runtime::Roster& roster, PeId here)
    : pes_per_process_(static_cast<PeId>(roster.pes_per_process())),
      here_(here),
      processes_(roster.processes()),
      columns_(columns_for(processes_, kMostInOneRow)),
      lanes_(roster.pes()) {
  std::map<PeId, std::uint32_t> lane_of;
  for (PeId to = 0; to < roster.pes(); ++to) {
    if (to == here) continue;
    const auto [found, is_new] = lane_of.try_emplace(next_hop(to), static_cast<std::uint32_t>(hops_.size()));
    if (is_new) hops_.push_back(found->first);
    lanes_[to] = found->second;
  }
}

PeId PeGrid::next_hop(PeId to) const {
  const int process = static_cast<int>(to / pes_per_process_);
  const int ours = static_cast<int>(here_ / pes_per_process_);
  if (process == ours) return to;
  return static_cast<PeId>(next_process(process)) * pes_per_process_ + here_ % pes_per_process_;
}

// Along its row to the other's column, then along that. From the last row, which may lack columns, the other way round.
int PeGrid::next_process(int to) const {
  const int ours = static_cast<int>(here_ / pes_per_process_);
  const int row = ours / columns_, column = ours % columns_;
  const int to_row = to / columns_, to_column = to % columns_;
  if (row == to_row || column == to_column) return to;
  const int in_our_row = row * columns_ + to_column;
  return in_our_row < processes_ ? in_our_row : to_row * columns_ + column;
}

}  // namespace kaon::chares

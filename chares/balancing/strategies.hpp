// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/chares/balancing/load_report.hpp"

/// Strategies for Runtime::balance() and Runtime::rebalance().
namespace kaon::chares::strategies {

/// Leaves all where they are: for measuring, and to compare with.
std::vector<PeId> none(const LoadReport& report);
/// The heaviest element first, each to the PE that has least so far. Moves nearly all.
std::vector<PeId> greedy(const LoadReport& report);
/// Elements of PEs that have more than a fiftieth above the mean go to those that have least, as few as will do.
std::vector<PeId> refine(const LoadReport& report);
/// All to the PE behind theirs, for tests.
std::vector<PeId> rotate(const LoadReport& report);
/// As refine, between the processes first and then between the PEs of each: few elements leave their process.
std::vector<PeId> hierarchical(const LoadReport& report);
/// A graph cut by METIS, so that PEs have as much to do and what elements send each other (Chare::add_traffic()) stays
/// inside them as far as may be. Throws UsageError where Kaon was built without METIS.
std::vector<PeId> graph(const LoadReport& report);

/// What `strategy` says when the busiest PE gains more by that, until the next step, than the step is going to cost: as
/// much for each element as those of the last step did. Else all stay.
Strategy when_it_pays(Strategy strategy);

}  // namespace kaon::chares::strategies

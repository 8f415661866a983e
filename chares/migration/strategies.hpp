// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/chares/migration/load_report.hpp"
#include "kaon/chares/migration/strategy.hpp"

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
/// Same as refine(), but first between processes and then between the PEs of each: few elements leave their process.
std::vector<PeId> hierarchical(const LoadReport& report);
/// A graph cut by METIS, so that PEs have as much to do and what elements send each other stays inside them as far
/// as may be: messages between elements of the array are counted, and Chare::add_traffic() adds to that. Throws
/// UsageError where Kaon was built without METIS.
std::vector<PeId> graph(const LoadReport& report);

/// Follows `strategy` if the busiest PE gains more by it until the next step than the step will cost. Each move is
/// taken to cost as much as in the last step. Otherwise all elements stay.
Strategy when_it_pays(Strategy strategy);

/// No PE sees all elements, and none decides: those with less than the mean tell PEs drawn at random, which pass that
/// on, and those with more offer elements to some of whom they have heard, which take what makes neither of them the
/// busier one. (Menon and Kale, "A distributed dynamic load balancer for iterative applications", SC 2013; Lifflander
/// et al., "Optimizing distributed load balancing for workloads with time-varying imbalance", CLUSTER 2021.)
inline constexpr GossipStrategy gossip{};

/// `strategy` by itself: elements call rebalance() as often as they like, and most calls go on at once. Now and then,
/// the more often the more was gained by it lately, and so that this costs little, a call waits for all; then elements
/// move if the gain until the next time exceeds what moves were measured to cost. All elements of the array, which is
/// a dense one, must call rebalance() equally often; in a sparse one each call waits for all.
Strategy automatic(Strategy strategy);

}  // namespace kaon::chares::strategies

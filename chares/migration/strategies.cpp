// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/strategies.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::strategies {
namespace {

using Order = std::vector<std::uint32_t>;

/// Numbers of the elements that take time and may move, the heaviest first.
Order heaviest_first(const LoadReport& report) {
  Order order;
  order.reserve(report.elements.size());
  for (std::uint32_t i = 0; i < report.elements.size(); ++i)
    if (report.elements[i].can_move != 0 && report.elements[i].seconds > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double first = report.elements[a].seconds, second = report.elements[b].seconds;
    return first != second ? first > second : a < b;
  });
  return order;
}

/// PEs, the one that has least on top; of equals the first.
class LeastLoaded {
 public:
  explicit LeastLoaded(const std::vector<double>& loads) {
    for (PeId pe = 0; pe < loads.size(); ++pe) queue_.push({loads[pe], pe});
  }
  PeId give(double seconds) {
    auto [load, pe] = queue_.top();
    queue_.pop();
    queue_.push({load + seconds, pe});
    return pe;
  }
  double least() const { return queue_.top().first; }

 private:
  using Entry = std::pair<double, PeId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

double most(const std::vector<double>& loads) { return *std::max_element(loads.begin(), loads.end()); }

/// The elements of one group of PEs, which are numbered from 0 there.
LoadReport part_of(const LoadReport& report, const std::vector<PeId>& group_of, PeId group, PeId pes, Order& members) {
  LoadReport part;
  part.pes = pes;
  for (std::uint32_t i = 0; i < report.elements.size(); ++i) {
    if (group_of[i] != group) continue;
    ElementLoad each = report.elements[i];
    each.pe %= pes;  // where it comes from elsewhere, anywhere: the next step deals it
    members.push_back(i);
    part.elements.push_back(each);
  }
  return part;
}

}  // namespace

std::vector<PeId> none(const LoadReport& report) { return report.places(); }

std::vector<PeId> greedy(const LoadReport& report) {
  std::vector<PeId> places = report.places();
  std::vector<double> fixed(report.pes, 0.0);
  for (const ElementLoad& each : report.elements)
    if (each.can_move == 0) fixed[each.pe] += each.seconds;
  LeastLoaded pes(fixed);
  for (const std::uint32_t i : heaviest_first(report)) places[i] = pes.give(report.elements[i].seconds);
  return places;
}

std::vector<PeId> refine(const LoadReport& report) {
  constexpr double kTolerance = 1.02;
  std::vector<PeId> places = report.places();
  std::vector<double> loads = report.loads(places);
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(report.pes);
  for (const std::uint32_t i : heaviest_first(report)) {
    const double seconds = report.elements[i].seconds;
    double& from = loads[places[i]];
    if (from <= kTolerance * mean) continue;
    const auto least = std::min_element(loads.begin(), loads.end());
    if (*least + seconds >= from || (*least + seconds > kTolerance * mean && from - seconds < mean)) continue;
    from -= seconds;
    *least += seconds;
    places[i] = static_cast<PeId>(least - loads.begin());
  }
  return places;
}

std::vector<PeId> rotate(const LoadReport& report) {
  std::vector<PeId> places = report.places();
  for (PeId& place : places) place = (place + 1) % report.pes;
  return places;
}

std::vector<PeId> hierarchical(const LoadReport& report) {
  const auto processes = static_cast<PeId>(report.processes);
  const PeId each_has = report.pes / processes;
  LoadReport of_processes = report;
  of_processes.pes = processes;
  for (ElementLoad& each : of_processes.elements) each.pe /= each_has;
  const std::vector<PeId> process_of = refine(of_processes);
  std::vector<PeId> places(report.elements.size());
  for (PeId process = 0; process < processes; ++process) {
    Order members;
    const std::vector<PeId> inside = refine(part_of(report, process_of, process, each_has, members));
    for (std::size_t i = 0; i < members.size(); ++i) places[members[i]] = process * each_has + inside[i];
  }
  return places;
}

Strategy when_it_pays(Strategy strategy) {
  if (strategy.is_gossip())
    throw runtime::UsageError(
        "when_it_pays(gossip): no function sees the loads; automatic(gossip) weighs gain and cost");
  if (!strategy) return strategy;
  return strategy.with([strategy](const LoadReport& report) {
    const std::vector<PeId> before = report.places();
    std::vector<PeId> after = strategy(report);
    if (after.size() != before.size() || report.step_moves == 0) return after;
    for (const PeId pe : after)
      if (pe >= report.pes) return after;  // which is said to be wrong
    const double gain = most(report.loads(before)) - most(report.loads(after));
    const double cost =
        report.step_seconds / static_cast<double>(report.step_moves) * static_cast<double>(report.moves(after));
    return gain > cost ? after : before;
  });
}

Strategy automatic(Strategy strategy) { return strategy.automatic(); }

}  // namespace kaon::chares::strategies

bool kaon::chares::Strategy::looks_at_traffic(Plain function) {
  using namespace strategies;
  for (const Plain known : {Plain{&none}, Plain{&greedy}, Plain{&refine}, Plain{&rotate}, Plain{&hierarchical}})
    if (function == known) return false;
  return true;
}

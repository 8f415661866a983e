// SPDX-License-Identifier: Apache-2.0
#if KAON_HAS_METIS
#include <metis.h>
#endif

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/migration/strategies.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::strategies {

#if !KAON_HAS_METIS

std::vector<PeId> graph(const LoadReport&) {
  throw runtime::UsageError(
      "strategies::graph needs METIS, which was not there when Kaon was built: install libmetis-dev and build again, "
      "or "
      "use strategies::refine");
}

#else
namespace {

/// METIS' compressed rows: who has to do with whom, both ways.
struct Graph {
  std::vector<idx_t> begins, neighbors, bytes, seconds;
};

using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

/// Nothing: it is not in the report, perhaps no more.
std::optional<std::uint32_t> place_of(const LoadReport& report, std::uint64_t element) {
  const auto at = std::lower_bound(report.elements.begin(), report.elements.end(), element,
                                   [](const ElementLoad& each, std::uint64_t number) { return each.element < number; });
  if (at == report.elements.end() || at->element != element) return {};
  return static_cast<std::uint32_t>(at - report.elements.begin());
}

Edges edges_of(const LoadReport& report) {
  Edges edges;
  for (const Traffic& each : report.traffic) {
    const auto from = place_of(report, each.from), to = place_of(report, each.to);
    if (!from || !to || *from == *to) continue;
    edges[{*from, *to}] += each.bytes;
    edges[{*to, *from}] += each.bytes;
  }
  return edges;
}

/// Weights are whole numbers there: a thousandth of the largest is as fine as it gets.
idx_t weight(double value, double largest) {
  return largest > 0 ? std::max(static_cast<idx_t>(value / largest * 1000), idx_t{1}) : 1;
}

Graph graph_of(const LoadReport& report) {
  const Edges edges = edges_of(report);
  double most_bytes = 0, most_seconds = 0;
  for (const auto& [ends, bytes] : edges) most_bytes = std::max(most_bytes, bytes);
  for (const ElementLoad& each : report.elements) most_seconds = std::max(most_seconds, each.seconds);
  Graph graph;
  graph.begins.assign(report.elements.size() + 1, 0);
  for (const auto& [ends, bytes] : edges) {
    ++graph.begins[ends.first + 1];
    graph.neighbors.push_back(static_cast<idx_t>(ends.second));
    graph.bytes.push_back(weight(bytes, most_bytes));
  }
  for (std::size_t i = 1; i < graph.begins.size(); ++i) graph.begins[i] += graph.begins[i - 1];
  for (const ElementLoad& each : report.elements) graph.seconds.push_back(weight(each.seconds, most_seconds));
  return graph;
}

/// Found when it is first used, so that programs that do not use it need no library of it.
decltype(&METIS_PartGraphKway) partition_function() {
  static void* const library = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, "METIS_PartGraphKway") : nullptr;
  if (function == nullptr)
    throw runtime::UsageError("strategies::graph finds no libmetis.so.5: install libmetis5, or use strategies::refine");
  return reinterpret_cast<decltype(&METIS_PartGraphKway)>(function);
}

std::vector<idx_t> partition(Graph graph, idx_t parts) {
  auto vertices = static_cast<idx_t>(graph.seconds.size());
  idx_t constraints = 1, cut = 0;
  std::vector<idx_t> part(graph.seconds.size(), 0);
  if (parts < 2 || vertices < 2) return part;
  graph.neighbors.push_back(0);  // so that there is memory even where nobody has neighbors
  graph.bytes.push_back(0);
  const int status =
      partition_function()(&vertices, &constraints, graph.begins.data(), graph.neighbors.data(), graph.seconds.data(),
                           nullptr, graph.bytes.data(), &parts, nullptr, nullptr, nullptr, &cut, part.data());
  if (status != METIS_OK) throw runtime::UsageError("METIS could not cut the graph of an array's elements");
  return part;
}

/// Which part each PE gets: that of which it has most already.
std::vector<PeId> pes_of_parts(const LoadReport& report, const std::vector<idx_t>& part) {
  std::map<std::pair<PeId, PeId>, double> there;  // seconds by part and PE
  for (std::size_t i = 0; i < part.size(); ++i)
    there[{static_cast<PeId>(part[i]), report.elements[i].pe}] += report.elements[i].seconds;
  std::vector<std::pair<double, std::pair<PeId, PeId> > > wishes;
  for (const auto& [pair, seconds] : there) wishes.push_back({-seconds, pair});
  std::sort(wishes.begin(), wishes.end());
  std::vector<PeId> pes(report.pes, report.pes);
  std::vector<bool> is_taken(report.pes, false);
  for (const auto& [seconds, pair] : wishes) {
    if (pes[pair.first] != report.pes || is_taken[pair.second]) continue;
    pes[pair.first] = pair.second;
    is_taken[pair.second] = true;
  }
  PeId free = 0;
  for (PeId& pe : pes) {
    if (pe != report.pes) continue;
    while (is_taken[free]) ++free;
    is_taken[free] = true;
    pe = free;
  }
  return pes;
}

}  // namespace

std::vector<PeId> graph(const LoadReport& report) {
  const std::vector<idx_t> part = partition(graph_of(report), static_cast<idx_t>(report.pes));
  const std::vector<PeId> pes = pes_of_parts(report, part);
  std::vector<PeId> places = report.places();
  for (std::size_t i = 0; i < places.size(); ++i)
    if (report.elements[i].can_move != 0) places[i] = pes[static_cast<std::size_t>(part[i])];
  return places;
}

#endif

}  // namespace kaon::chares::strategies

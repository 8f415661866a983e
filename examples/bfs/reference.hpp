// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "examples/bfs/graph.hpp"

namespace bfs {

inline constexpr int kUnreached = -1;

/// A digest of one vertex and its level. Those of all vertices add up, in any order.
inline std::uint64_t digest(Vertex vertex, int level) {
  const std::uint64_t bits =
      (vertex + 1) * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(level + 2) * 0xbf58476d1ce4e5b9u;
  return bits ^ bits >> 29;
}

/// The graph in one piece, searched by one loop with a queue.
class Reference {
 public:
  explicit Reference(const Graph& graph) : begins_(graph.vertices() + 1) {
    each_end(graph, [this](Vertex from, Vertex) { ++begins_[from + 1]; });
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    neighbors_.resize(begins_.back());
    std::vector<std::uint64_t> places(begins_.begin(), begins_.end() - 1);
    each_end(graph, [&](Vertex from, Vertex to) { neighbors_[places[from]++] = to; });
  }
  bool has_edges(Vertex vertex) const { return begins_[vertex] < begins_[vertex + 1]; }

  std::uint64_t search(Vertex root) const {
    std::vector<int> levels(begins_.size() - 1, kUnreached);
    std::vector<Vertex> queue{root};
    levels[root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::uint64_t at = begins_[queue[i]]; at < begins_[queue[i] + 1]; ++at)
        if (int& level = levels[neighbors_[at]]; level == kUnreached) {
          level = levels[queue[i]] + 1;
          queue.push_back(neighbors_[at]);
        }
    std::uint64_t sum = 0;
    for (Vertex vertex = 0; vertex < levels.size(); ++vertex) sum += digest(vertex, levels[vertex]);
    return sum;
  }

 private:
  template <class Visit>
  static void each_end(const Graph& graph, Visit visit) {
    for (std::uint64_t number = 0; number < graph.edges(); ++number) {
      const auto [from, to] = graph.edge(number);
      if (from == to) continue;
      visit(from, to);
      visit(to, from);
    }
  }

  std::vector<std::uint64_t> begins_;  // of each vertex's neighbors; one more at the end
  std::vector<Vertex> neighbors_;
};

}  // namespace bfs

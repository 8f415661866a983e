// SPDX-License-Identifier: Apache-2.0
// A graph of the kind that Graph500 prescribes: few vertices with very many edges, most with few.
#pragma once
#include <cstdint>
#include <utility>

namespace bfs {

using Vertex = std::uint64_t;

struct Graph {
  int scale = 14;        // 2^scale vertices
  int edge_factor = 16;  // edges for each vertex
  std::uint64_t seed = 1;

  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  std::uint64_t edges() const { return vertices() * static_cast<std::uint64_t>(edge_factor); }

  /// Edge `number`, the same whoever asks: `scale` times one of four quarters of the matrix is chosen, which have 57,
  /// 19, 19 and 5 of 100 edges. Then vertices get other names, or those with many edges would be neighbors.
  std::pair<Vertex, Vertex> edge(std::uint64_t number) const {
    std::uint64_t state = mixed(number + seed * 0x632be59bd9b4e019u);
    Vertex from = 0, to = 0;
    for (int bit = 0; bit < scale; ++bit) {
      state = mixed(state + 0x9e3779b97f4a7c15u);
      const std::uint64_t part = (state >> 32) % 100;
      from = 2 * from + (part >= 76 ? 1 : 0);
      to = 2 * to + ((part >= 57 && part < 76) || part >= 95 ? 1 : 0);
    }
    return {renamed(from), renamed(to)};
  }

 private:
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
  }
  /// One name for each: products by odd numbers and shifts to the right can be undone.
  Vertex renamed(Vertex vertex) const {
    const std::uint64_t mask = vertices() - 1;
    for (const std::uint64_t odd : {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u}) {
      vertex = (vertex * odd + seed) & mask;
      vertex ^= vertex >> (scale / 2 + 1);
    }
    return vertex;
  }
};

}  // namespace bfs

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <vector>

#include "examples/bfs/graph.hpp"
#include "examples/bfs/reference.hpp"
#include "tests/support/catch.hpp"

using namespace bfs;

TEST_CASE("edges are the same whenever they are asked for, and other for another seed", "[bfs]") {
  const Graph graph{10, 16, 1}, other{10, 16, 2};
  int same = 0;
  for (std::uint64_t i = 0; i < graph.edges(); ++i) {
    const auto [from, to] = graph.edge(i);
    CHECK(from < graph.vertices());
    CHECK(to < graph.vertices());
    CHECK(graph.edge(i) == std::pair{from, to});
    same += other.edge(i) == std::pair{from, to} ? 1 : 0;
  }
  CHECK(same < 20);
}

TEST_CASE("few vertices have very many edges, and many have none", "[bfs]") {
  const Graph graph{12, 16, 1};
  std::vector<int> degrees(graph.vertices());
  for (std::uint64_t i = 0; i < graph.edges(); ++i) {
    ++degrees[graph.edge(i).first];
    ++degrees[graph.edge(i).second];
  }
  std::sort(degrees.rbegin(), degrees.rend());
  CHECK(degrees.front() > 40 * 32);  // the mean is 32
  CHECK(std::count(degrees.begin(), degrees.end(), 0) > 400);
}

TEST_CASE("levels of a search tell where it began", "[bfs]") {
  const Graph graph{6, 4, 1};
  const Reference reference(graph);
  std::set<std::uint64_t> digests;
  for (Vertex root = 0; root < graph.vertices(); ++root)
    if (reference.has_edges(root)) digests.insert(reference.search(root));
  CHECK(digests.size() > 20);
}

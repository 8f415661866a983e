// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a large graph: each part of an array has some of the vertices and the edges that begin there.
// Level by level every part tells every other which of its vertices have been reached, in one message. Held against one
// loop with a queue, by the levels of all vertices.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/bfs/graph.hpp"
#include "examples/bfs/reference.hpp"

namespace bfs {

struct Edge {
  Vertex from, to;
};

/// What one part has for another in one level: edges along which the search goes on.
struct Wave {
  int level = 0;
  kaon::Payload<Edge> edges;
  template <class Archive>
  void pup(Archive& archive) {
    archive(level, edges);
  }
};

using Counts = std::array<std::uint64_t, 3>;  // digest of levels, edges of reached vertices, parents that cannot be

class Part : public kaon::Chare<Part> {
 public:
  kaon::Inbox<Wave, &Wave::level> waves;

  explicit Part(const Graph& graph) : graph_(graph) {}

  /// Each part makes some of the edges, and gives both ends of them to their owners.
  kaon::Task<> build() {
    const auto share = [&](int part) { return graph_.edges() * static_cast<std::uint64_t>(part) / count(); };
    std::vector<std::vector<Edge>> by_owner(count());
    for (auto number = share(index().x); number < share(index().x + 1); ++number) {
      const auto [from, to] = graph_.edge(number);
      if (from == to) continue;
      by_owner[from % count()].push_back({from, to});
      by_owner[to % count()].push_back({to, from});
    }
    send_waves(kEdges, std::move(by_owner));
    neighbors_.resize((graph_.vertices() + count() - 1) / count());
    for (std::uint64_t i = 0; i < count(); ++i) {
      const Wave wave = co_await waves.when(kEdges);
      for (const Edge& edge : wave.edges.view()) neighbors_[place(edge.from)].push_back(edge.to);
    }
  }

  kaon::Task<Counts> search(Vertex root) {
    levels_.assign(neighbors_.size(), kUnreached);
    parents_.assign(neighbors_.size(), root);
    std::vector<Vertex> reached;
    if (is_own(root)) reach(root, root, 0, reached);
    for (int level = 1; co_await contribute(kaon::sum, reached.size()) > 0; ++level) {
      send_waves(level, edges_from(reached));
      reached.clear();
      for (std::uint64_t i = 0; i < count(); ++i) {
        const Wave wave = co_await waves.when(level);
        for (const Edge& edge : wave.edges.view()) reach(edge.to, edge.from, level, reached);
      }
    }
    co_return counts(root);
  }

 private:
  static constexpr int kEdges = 0;  // the level of waves before the first

  std::uint64_t count() const { return static_cast<std::uint64_t>(array().shape().x); }
  bool is_own(Vertex vertex) const { return vertex % count() == static_cast<std::uint64_t>(index().x); }
  std::size_t place(Vertex vertex) const { return vertex / count(); }
  Vertex vertex_at(std::size_t place) const { return place * count() + static_cast<std::uint64_t>(index().x); }

  void reach(Vertex vertex, Vertex parent, int level, std::vector<Vertex>& reached) {
    if (levels_[place(vertex)] != kUnreached) return;
    levels_[place(vertex)] = level;
    parents_[place(vertex)] = parent;
    reached.push_back(vertex);
  }
  std::vector<std::vector<Edge>> edges_from(const std::vector<Vertex>& reached) const {
    std::vector<std::vector<Edge>> by_owner(count());
    for (const Vertex from : reached)
      for (const Vertex to : neighbors_[place(from)]) by_owner[to % count()].push_back({from, to});
    return by_owner;
  }
  void send_waves(int level, std::vector<std::vector<Edge>> by_owner) const {
    for (std::uint64_t step = 0; step < count(); ++step) {
      const std::uint64_t to = (static_cast<std::uint64_t>(index().x) + step) % count();
      Wave wave{level, kaon::Payload<Edge>(std::move(by_owner[to]))};
      array()[static_cast<int>(to)].send<&Part::waves>(std::move(wave));
    }
  }
  Counts counts(Vertex root) const {
    Counts counts{};
    for (std::size_t i = 0; i < neighbors_.size() && vertex_at(i) < graph_.vertices(); ++i) {
      counts[0] += digest(vertex_at(i), levels_[i]);
      if (levels_[i] == kUnreached) continue;
      counts[1] += neighbors_[i].size();
      const bool has_parent = std::find(neighbors_[i].begin(), neighbors_[i].end(), parents_[i]) != neighbors_[i].end();
      counts[2] += !has_parent && vertex_at(i) != root;
    }
    return counts;
  }

  Graph graph_;
  std::vector<std::vector<Vertex>> neighbors_;  // of own vertices
  std::vector<int> levels_;
  std::vector<Vertex> parents_;
};

struct Options {
  Graph graph;
  int parts_per_pe = 2;
  int roots = 4;
};

/// Vertices that have edges, anywhere in the graph.
std::vector<Vertex> some_roots(const Graph& graph, const Reference& reference, int count) {
  std::vector<Vertex> roots;
  for (std::uint64_t i = 0; i < graph.vertices() && roots.size() < static_cast<std::size_t>(count); ++i)
    if (const Vertex vertex = (i * 7919 + graph.seed) % graph.vertices(); reference.has_edges(vertex))
      roots.push_back(vertex);
  return roots;
}

kaon::Task<int> search_all(kaon::Runtime& runtime, Options options) {
  const Reference reference(options.graph);
  const int count = options.parts_per_pe * static_cast<int>(runtime.pes());
  const auto parts = co_await runtime.create<Part>(count, options.graph);
  co_await parts.call_all_and_wait<&Part::build>();
  const std::vector<Vertex> roots = some_roots(options.graph, reference, options.roots);
  int wrong = 0;
  for (const Vertex root : roots) {
    const auto start = std::chrono::steady_clock::now();
    const auto [levels, ends, orphans] = co_await parts.call_all<&Part::search>(kaon::sum, root);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool is_right = orphans == 0 && levels == reference.search(root);
    std::printf("from %llu: %llu edges in %.3f s, %.1f million a second%s\n", static_cast<unsigned long long>(root),
                static_cast<unsigned long long>(ends / 2), seconds, static_cast<double>(ends) / 2e6 / seconds,
                is_right ? "" : " - wrong: one loop with a queue gives other levels");
    wrong += !is_right;
  }
  std::printf("%llu vertices, %llu edges in %d parts on %u PEs: %d of %zu searches are wrong\n",
              static_cast<unsigned long long>(options.graph.vertices()),
              static_cast<unsigned long long>(options.graph.edges()), count, runtime.pes(), wrong, roots.size());
  co_return wrong == 0 && !roots.empty() ? 0 : 1;
}

kaon::Task<int> bfs_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Searches a graph in the manner of Graph500 breadth first.");
  app.add_option("--scale", options.graph.scale, "2^scale vertices")->check(CLI::Range(2, 30))->capture_default_str();
  app.add_option("--edge-factor", options.graph.edge_factor, "edges for each vertex")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seed", options.graph.seed, "another graph for each")->capture_default_str();
  app.add_option("--roots", options.roots, "searches")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--parts", options.parts_per_pe, "of each PE")->check(CLI::Range(1, 10000))->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  co_return co_await search_all(runtime, options);
}

}  // namespace bfs

int main(int argc, char** argv) { return kaon::run(argc, argv, bfs::bfs_main); }

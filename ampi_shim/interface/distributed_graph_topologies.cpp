// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/topology_arguments.hpp"

namespace kaon::ampi {

namespace {

void check_ranks(const Communicator& communicator, int count, const int* ranks, const char* name) {
  require(count >= 0, MPI_ERR_ARG, "the number of {} is {}", name, count);
  require(count == 0 || ranks != nullptr, MPI_ERR_ARG, "the list of {} is a null pointer", name);
  for (int i = 0; i < count; ++i) {
    require(ranks[i] >= 0 && ranks[i] < communicator.size(), MPI_ERR_ARG, "{} {} of {} is not in the communicator",
            ranks[i], i, name);
  }
}

/// Empty without weights; the edges of a rank may have none while those of others have.
std::vector<int> weights_argument(int count, const int* weights) {
  if (weights == MPI_UNWEIGHTED) return {};
  if (weights == MPI_WEIGHTS_EMPTY || count == 0) return {};
  require_place(weights, "the list of weights");
  for (int i = 0; i < count; ++i) require(weights[i] >= 0, MPI_ERR_ARG, "weight {} is {}", i, weights[i]);
  return {weights, weights + count};
}

CommunicatorRef with_graph(const char* name, Rank& rank, Communicator& communicator, const Info* hints,
                           DistributedGraph graph) {
  CommunicatorRef made = first_ranks(name, rank, communicator, communicator.size());
  made->topology = std::make_shared<const Topology>(std::move(graph));
  if (hints != nullptr) set_hints(*made, *hints);
  return made;
}

struct Edge {
  int source;
  int destination;
  int weight;
};

/// What all ranks have said of edges, in the order of ranks.
std::vector<Edge> gather_edges(const char* name, Rank& rank, Communicator& communicator, std::vector<Edge>& own) {
  const auto size = static_cast<std::size_t>(communicator.size());
  std::vector<MPI_Count> bytes(size);
  MPI_Count mine = static_cast<MPI_Count>(own.size() * sizeof(Edge));
  const auto gather = [&](const Piece& piece, const Blocks& blocks) {
    run_now(name, rank, communicator,
            [&](Schedule& schedule) { plan_allgather(schedule, team_of(communicator), piece, blocks); });
  };
  const Piece count = bytes_at(&mine, sizeof mine);
  gather(count, Blocks(bytes.data(), sizeof mine, *count.type));
  std::vector<MPI_Aint> starts(size);
  std::exclusive_scan(bytes.begin(), bytes.end(), starts.begin(), MPI_Aint{0});
  std::vector<Edge> all(static_cast<std::size_t>(starts.back() + bytes.back()) / sizeof(Edge));
  gather(bytes_at(own.data(), mine), Blocks(all.data(), bytes.data(), starts.data(), *count.type));
  return all;
}

/// The edges that a rank is at.
DistributedGraph edges_at(int rank, const std::vector<Edge>& edges, bool is_weighted) {
  DistributedGraph graph;
  graph.is_weighted = is_weighted;
  for (const Edge& edge : edges) {
    if (edge.destination == rank) {
      graph.sources.push_back(edge.source);
      graph.source_weights.push_back(edge.weight);
    }
    if (edge.source == rank) {
      graph.destinations.push_back(edge.destination);
      graph.destination_weights.push_back(edge.weight);
    }
  }
  return graph;
}

std::vector<Edge> edges_argument(const Communicator& communicator, int n, const int* sources, const int* degrees,
                                 const int* destinations, const int* weights) {
  check_ranks(communicator, n, sources, "sources");
  require(n == 0 || degrees != nullptr, MPI_ERR_ARG, "the list of degrees is a null pointer");
  for (int i = 0; i < n; ++i) require(degrees[i] >= 0, MPI_ERR_ARG, "degree {} is {}", i, degrees[i]);
  const int count = std::accumulate(degrees, degrees + n, 0);
  check_ranks(communicator, count, destinations, "destinations");
  const std::vector<int> given = weights_argument(count, weights);
  std::vector<Edge> edges;
  for (int i = 0; i < n; ++i) {
    for (int edge = 0; edge < degrees[i]; ++edge) {
      const std::size_t at = edges.size();
      edges.push_back({sources[i], destinations[at], given.empty() ? 1 : given[at]});
    }
  }
  return edges;
}

const DistributedGraph& graph_of(const Communicator& communicator) {
  return topology_of<DistributedGraph>(communicator, "distributed graph");
}

}  // namespace

}  // namespace kaon::ampi

using namespace kaon::ampi;

extern "C" {

int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int* sourceweights,
                                   int outdegree, const int destinations[], const int* destweights, MPI_Info info, int,
                                   MPI_Comm* comm_dist_graph) {
  const char* const name = "MPI_Dist_graph_create_adjacent";
  return new_communicator(name, comm_old, comm_dist_graph, [&](Rank& rank, Communicator& communicator) {
    require_intra(communicator);
    const Info* const hints = info_or_null(info);
    check_ranks(communicator, indegree, sources, "sources");
    check_ranks(communicator, outdegree, destinations, "destinations");
    DistributedGraph graph;
    graph.sources.assign(sources, sources + indegree);
    graph.destinations.assign(destinations, destinations + outdegree);
    graph.source_weights = weights_argument(indegree, sourceweights);
    graph.destination_weights = weights_argument(outdegree, destweights);
    graph.is_weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
    return with_graph(name, rank, communicator, hints, std::move(graph));
  });
}

int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                          const int* weights, MPI_Info info, int, MPI_Comm* comm_dist_graph) {
  const char* const name = "MPI_Dist_graph_create";
  return new_communicator(name, comm_old, comm_dist_graph, [&](Rank& rank, Communicator& communicator) {
    require_intra(communicator);
    const Info* const hints = info_or_null(info);
    std::vector<Edge> own = edges_argument(communicator, n, sources, degrees, destinations, weights);
    const std::vector<Edge> all = gather_edges(name, rank, communicator, own);
    return with_graph(name, rank, communicator, hints, edges_at(communicator.rank(), all, weights != MPI_UNWEIGHTED));
  });
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return communicator_call("MPI_Dist_graph_neighbors_count", comm, [&](Rank&, const Communicator& communicator) {
    require_place(indegree, "indegree");
    require_place(outdegree, "outdegree");
    require_place(weighted, "weighted");
    const DistributedGraph& graph = graph_of(communicator);
    *indegree = static_cast<int>(graph.sources.size());
    *outdegree = static_cast<int>(graph.destinations.size());
    *weighted = graph.is_weighted ? 1 : 0;
  });
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int* sourceweights, int maxoutdegree,
                             int destinations[], int* destweights) {
  return communicator_call("MPI_Dist_graph_neighbors", comm, [&](Rank&, const Communicator& communicator) {
    const DistributedGraph& graph = graph_of(communicator);
    copy_first(graph.sources, maxindegree, sources);
    copy_first(graph.destinations, maxoutdegree, destinations);
    if (!graph.is_weighted) return;
    if (sourceweights != MPI_UNWEIGHTED) copy_first(graph.source_weights, maxindegree, sourceweights);
    if (destweights != MPI_UNWEIGHTED) copy_first(graph.destination_weights, maxoutdegree, destweights);
  });
}

}  // extern "C"

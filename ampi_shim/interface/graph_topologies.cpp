// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kaon/ampi_shim/interface/topology_arguments.hpp"

namespace kaon::ampi {

namespace {

Graph graph_argument(const Communicator& communicator, int nnodes, const int* index, const int* edges) {
  require_intra(communicator);
  require(nnodes >= 0 && nnodes <= communicator.size(), MPI_ERR_ARG,
          "the number of nodes is {}, and the communicator has {} ranks", nnodes, communicator.size());
  require(nnodes == 0 || index != nullptr, MPI_ERR_ARG, "the list of indices is a null pointer");
  for (int node = 0; node < nnodes; ++node) {
    require(index[node] >= (node == 0 ? 0 : index[node - 1]), MPI_ERR_ARG, "the index of node {} is too low", node);
  }
  const int count = nnodes == 0 ? 0 : index[nnodes - 1];
  require(count == 0 || edges != nullptr, MPI_ERR_ARG, "the list of edges is a null pointer");
  for (int edge = 0; edge < count; ++edge) {
    require(edges[edge] >= 0 && edges[edge] < nnodes, MPI_ERR_ARG, "edge {} leads to node {}", edge, edges[edge]);
  }
  return {std::vector<int>(index, index + nnodes), std::vector<int>(edges, edges + count)};
}

const Graph& graph_of(const Communicator& communicator) { return topology_of<Graph>(communicator, "graph"); }

}  // namespace

}  // namespace kaon::ampi

using namespace kaon::ampi;

extern "C" {

int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int, MPI_Comm* comm_graph) {
  return new_communicator("MPI_Graph_create", comm_old, comm_graph, [&](Rank& rank, Communicator& communicator) {
    Graph graph = graph_argument(communicator, nnodes, indx, edges);
    if (nnodes == 0) return CommunicatorRef();
    CommunicatorRef made = first_ranks("MPI_Graph_create", rank, communicator, nnodes);
    if (made) made->topology = std::make_shared<const Topology>(std::move(graph));
    return made;
  });
}

int MPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return communicator_call("MPI_Graphdims_get", comm, [&](Rank&, const Communicator& communicator) {
    require_place(nnodes, "nnodes");
    require_place(nedges, "nedges");
    const Graph& graph = graph_of(communicator);
    *nnodes = static_cast<int>(graph.ends.size());
    *nedges = static_cast<int>(graph.edges.size());
  });
}

int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) {
  return communicator_call("MPI_Graph_get", comm, [&](Rank&, const Communicator& communicator) {
    const Graph& graph = graph_of(communicator);
    copy_first(graph.ends, maxindex, indx);
    copy_first(graph.edges, maxedges, edges);
  });
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return communicator_call("MPI_Graph_neighbors_count", comm, [&](Rank&, const Communicator& communicator) {
    require_place(nneighbors, "nneighbors");
    const Graph& graph = graph_of(communicator);
    require_peer(communicator, rank, "the rank");
    *nneighbors = static_cast<int>(graph.neighbours(rank).size());
  });
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return communicator_call("MPI_Graph_neighbors", comm, [&](Rank&, const Communicator& communicator) {
    const Graph& graph = graph_of(communicator);
    require_peer(communicator, rank, "the rank");
    const std::span<const int> all = graph.neighbours(rank);
    copy_first(all, maxneighbors, neighbors);
  });
}

int MPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int* newrank) {
  return communicator_call("MPI_Graph_map", comm, [&](Rank&, const Communicator& communicator) {
    require_place(newrank, "newrank");
    graph_argument(communicator, nnodes, indx, edges);
    *newrank = communicator.rank() < nnodes ? communicator.rank() : MPI_UNDEFINED;
  });
}

int MPI_Topo_test(MPI_Comm comm, int* status) {
  return communicator_call("MPI_Topo_test", comm, [&](Rank&, const Communicator& communicator) {
    require_place(status, "status");
    constexpr int kKinds[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};  // in the order of Topology
    *status = communicator.topology == nullptr ? MPI_UNDEFINED : kKinds[communicator.topology->index()];
  });
}

}  // extern "C"

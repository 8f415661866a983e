// SPDX-License-Identifier: Apache-2.0
// Neighborhood collectives.
#include "kaon/ampi_shim/collectives/neighbours.hpp"
#include "kaon/ampi_shim/communicators/topology.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"

namespace kaon::ampi {

namespace {

Neighbours neighbours_in(const Cartesian& grid, int rank) {
  Neighbours neighbours;
  neighbours.are_paired = true;
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    for (const int step : {-1, 1}) neighbours.sources.push_back(grid.shifted(rank, dimension, step));
  }
  neighbours.destinations = neighbours.sources;
  return neighbours;
}

Neighbours neighbours_in(const Graph& graph, int rank) {
  const std::span<const int> both = graph.neighbours(rank);
  return {{both.begin(), both.end()}, {both.begin(), both.end()}};
}

Neighbours neighbours_in(const DistributedGraph& graph, int) { return {graph.sources, graph.destinations}; }

Neighbours neighbours_of(const Communicator& communicator) {
  require(communicator.topology != nullptr, MPI_ERR_TOPOLOGY, "the communicator has no topology");
  const std::variant<Cartesian, Graph, DistributedGraph>& topology = *communicator.topology;
  return std::visit([&](const auto& kind) { return neighbours_in(kind, communicator.rank()); }, topology);
}

int sources_of(const Neighbours& neighbours) { return static_cast<int>(neighbours.sources.size()); }
int destinations_of(const Neighbours& neighbours) { return static_cast<int>(neighbours.destinations.size()); }

/// The same elements for everybody.
Blocks one_for_all(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type,
                   const Neighbours& neighbours, std::vector<MPI_Count>& counts, std::vector<MPI_Aint>& starts) {
  const Piece piece = piece_argument(collective, buffer, count, type);
  counts.assign(neighbours.destinations.size(), count);
  starts.assign(neighbours.destinations.size(), 0);
  return {buffer, Counts(counts.data()), Displacements(starts.data()), *piece.type};
}

/// `to(neighbours)` gives the blocks that are received.
template <class To>
int neighbor_allgather_of(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, To to) {
  return collective_call(call, [&](Collective& collective) {
    const Neighbours neighbours = neighbours_of(collective.communicator());
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> starts;
    const Blocks from = one_for_all(collective, sendbuf, sendcount, sendtype, neighbours, counts, starts);
    plan_neighbour_exchange(collective.schedule(), neighbours, from, to(collective, neighbours));
  });
}

int neighbor_allgather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype) {
  return neighbor_allgather_of(call, sendbuf, sendcount, sendtype, [&](Collective& collective, const Neighbours&) {
    return blocks_argument(collective, recvbuf, recvcount, recvtype);
  });
}

int neighbor_allgatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, Counts recvcounts, Displacements displs, MPI_Datatype recvtype) {
  const auto to = [&](Collective& collective, const Neighbours& neighbours) {
    return blocks_argument(collective, recvbuf, {recvcounts, displs}, recvtype, sources_of(neighbours));
  };
  return neighbor_allgather_of(call, sendbuf, sendcount, sendtype, to);
}

int neighbor_alltoall(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    const Neighbours neighbours = neighbours_of(collective.communicator());
    const Blocks from = blocks_argument(collective, sendbuf, sendcount, sendtype);
    const Blocks to = blocks_argument(collective, recvbuf, recvcount, recvtype);
    plan_neighbour_exchange(collective.schedule(), neighbours, from, to);
  });
}

int neighbor_alltoallv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                       MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Displacements rdispls,
                       MPI_Datatype recvtype) {
  return collective_call(call, [&](Collective& collective) {
    const Neighbours neighbours = neighbours_of(collective.communicator());
    const BlockSizes sent{sendcounts, sdispls};
    const Blocks from = blocks_argument(collective, sendbuf, sent, sendtype, destinations_of(neighbours));
    const BlockSizes received{recvcounts, rdispls};
    const Blocks to = blocks_argument(collective, recvbuf, received, recvtype, sources_of(neighbours));
    plan_neighbour_exchange(collective.schedule(), neighbours, from, to);
  });
}

int neighbor_alltoallw(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
                       const MPI_Datatype* recvtypes) {
  return collective_call(call, [&](Collective& collective) {
    const Neighbours neighbours = neighbours_of(collective.communicator());
    std::vector<const Datatype*> types_sent;
    std::vector<const Datatype*> types_received;
    const Blocks from =
        blocks_argument(collective, sendbuf, {sendcounts, sdispls}, sendtypes, destinations_of(neighbours), types_sent);
    const Blocks to =
        blocks_argument(collective, recvbuf, {recvcounts, rdispls}, recvtypes, sources_of(neighbours), types_received);
    plan_neighbour_exchange(collective.schedule(), neighbours, from, to);
  });
}

}  // namespace

}  // namespace kaon::ampi

KAON_COLLECTIVE(MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype),
                neighbor_allgather(call, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

KAON_COLLECTIVE(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
                 const Displacement displs[], MPI_Datatype recvtype),
                neighbor_allgatherv(call, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))

KAON_COLLECTIVE(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
                (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype),
                neighbor_alltoall(call, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))

KAON_COLLECTIVE(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
                (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[], MPI_Datatype sendtype,
                 void* recvbuf, const Count recvcounts[], const Displacement rdispls[], MPI_Datatype recvtype),
                neighbor_alltoallv(call, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                   recvtype))

KAON_COLLECTIVE(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
                (const void* sendbuf, const Count sendcounts[], const MPI_Aint sdispls[],
                 const MPI_Datatype sendtypes[], void* recvbuf, const Count recvcounts[], const MPI_Aint rdispls[],
                 const MPI_Datatype recvtypes[]),
                neighbor_alltoallw(call, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                   recvtypes))

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/interface/topology_arguments.hpp"

namespace kaon::ampi {

CommunicatorRef first_ranks(const char* name, Rank& rank, Communicator& communicator, int ranks) {
  Context context = kNoContext;
  run_now(name, rank, communicator, [&](Schedule& schedule) { plan_context(schedule, rank, communicator, &context); });
  if (communicator.rank() >= ranks) return nullptr;
  const Group group = communicator.group().including(Group(0, ranks).members());
  CommunicatorRef made(new Communicator(context, group, communicator.rank()));
  made->errors = communicator.errors;
  return made;
}

namespace {

/// A grid that the program describes, of at most as many ranks.
Cartesian grid_argument(const Communicator& communicator, int ndims, const int* dims, const int* periods) {
  require_intra(communicator);
  require(ndims >= 0, MPI_ERR_DIMS, "the number of dimensions is {}", ndims);
  require(ndims == 0 || (dims != nullptr && periods != nullptr), MPI_ERR_ARG, "dims or periods is a null pointer");
  long long ranks = 1;
  for (int i = 0; i < ndims; ++i) {
    require(dims[i] > 0, MPI_ERR_DIMS, "the size of dimension {} is {}", i, dims[i]);
    ranks *= dims[i];
    require(ranks <= communicator.size(), MPI_ERR_TOPOLOGY, "the grid has more than the {} ranks of the communicator",
            communicator.size());
  }
  std::vector<bool> are_periodic;
  for (int i = 0; i < ndims; ++i) are_periodic.push_back(periods[i] != 0);
  return {std::vector<int>(dims, dims + ndims), std::move(are_periodic)};
}

std::span<const int> dimensions_argument(const Cartesian& grid, const int* array, const char* name) {
  require(array != nullptr || grid.dimensions() == 0, MPI_ERR_ARG, "{} is a null pointer", name);
  return {array, static_cast<std::size_t>(grid.dimensions())};
}

void require_room(const Cartesian& grid, int maxdims) {
  require(maxdims >= grid.dimensions(), MPI_ERR_ARG, "there is room for {} dimensions, and the grid has {}", maxdims,
          grid.dimensions());
}

int dims_create(int nnodes, int ndims, int* dims) {
  return mpi_call("MPI_Dims_create", [&] {
    require(nnodes > 0, MPI_ERR_DIMS, "the number of nodes is {}", nnodes);
    require(ndims >= 0 && (ndims > 0 || nnodes == 1), MPI_ERR_DIMS, "the number of dimensions is {}", ndims);
    require(dims != nullptr || ndims == 0, MPI_ERR_ARG, "dims is a null pointer");
    const std::span<int> sizes(dims, static_cast<std::size_t>(ndims));
    for (const int size : sizes) require(size >= 0, MPI_ERR_DIMS, "a size is {}", size);
    require(choose_grid(nnodes, sizes), MPI_ERR_DIMS, "no sizes with those that are given make {} nodes", nnodes);
  });
}

}  // namespace

}  // namespace kaon::ampi

using namespace kaon::ampi;

extern "C" {

int MPI_Dims_create(int nnodes, int ndims, int dims[]) { return dims_create(nnodes, ndims, dims); }

int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int, MPI_Comm* comm_cart) {
  return new_communicator("MPI_Cart_create", comm_old, comm_cart, [&](Rank& rank, Communicator& communicator) {
    Cartesian grid = grid_argument(communicator, ndims, dims, periods);
    CommunicatorRef made = first_ranks("MPI_Cart_create", rank, communicator, grid.ranks());
    if (made) made->topology = std::make_shared<const Topology>(std::move(grid));
    return made;
  });
}

int MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  return new_communicator("MPI_Cart_sub", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    const Cartesian& grid = cartesian_of(communicator);
    Cartesian::Part part = grid.part_with(dimensions_argument(grid, remain_dims, "remain_dims"), communicator.rank());
    CommunicatorRef made = split("MPI_Cart_sub", rank, communicator, part.number, part.position);
    made->topology = std::make_shared<const Topology>(Cartesian(std::move(part.sizes), std::move(part.are_periodic)));
    return made;
  });
}

int MPI_Cartdim_get(MPI_Comm comm, int* ndims) {
  return communicator_call("MPI_Cartdim_get", comm, [&](Rank&, const Communicator& communicator) {
    require_place(ndims, "ndims");
    *ndims = cartesian_of(communicator).dimensions();
  });
}

int MPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return communicator_call("MPI_Cart_get", comm, [&](Rank&, const Communicator& communicator) {
    const Cartesian& grid = cartesian_of(communicator);
    require_room(grid, maxdims);
    const std::vector<int> at = grid.coordinates(communicator.rank());
    for (int i = 0; i < grid.dimensions(); ++i) {
      dims[i] = grid.size(i);
      periods[i] = grid.is_periodic(i) ? 1 : 0;
      coords[i] = at[static_cast<std::size_t>(i)];
    }
  });
}

int MPI_Cart_rank(MPI_Comm comm, const int coords[], int* rank) {
  return communicator_call("MPI_Cart_rank", comm, [&](Rank&, const Communicator& communicator) {
    require_place(rank, "rank");
    const Cartesian& grid = cartesian_of(communicator);
    const std::optional<int> found = grid.rank_at(dimensions_argument(grid, coords, "coords"));
    require(found.has_value(), MPI_ERR_ARG, "the coordinates are outside of a dimension that is not periodic");
    *rank = *found;
  });
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  return communicator_call("MPI_Cart_coords", comm, [&](Rank&, const Communicator& communicator) {
    const Cartesian& grid = cartesian_of(communicator);
    require_peer(communicator, rank, "the rank");
    require_room(grid, maxdims);
    const std::vector<int> at = grid.coordinates(rank);
    std::copy(at.begin(), at.end(), coords);
  });
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest) {
  return communicator_call("MPI_Cart_shift", comm, [&](Rank&, const Communicator& communicator) {
    require_place(rank_source, "rank_source");
    require_place(rank_dest, "rank_dest");
    const Cartesian& grid = cartesian_of(communicator);
    require(direction >= 0 && direction < grid.dimensions(), MPI_ERR_DIMS, "the direction is {}, and the grid has {}",
            direction, grid.dimensions());
    *rank_source = grid.shifted(communicator.rank(), direction, -disp);
    *rank_dest = grid.shifted(communicator.rank(), direction, disp);
  });
}

// Ranks are where they are: none is better than its own.
int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  return communicator_call("MPI_Cart_map", comm, [&](Rank&, const Communicator& communicator) {
    require_place(newrank, "newrank");
    const Cartesian grid = grid_argument(communicator, ndims, dims, periods);
    *newrank = communicator.rank() < grid.ranks() ? communicator.rank() : MPI_UNDEFINED;
  });
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/topology.hpp"

#include <mpi.h>

namespace kaon::ampi {

int Cartesian::ranks() const {
  int product = 1;
  for (const int size : sizes_) product *= size;
  return product;
}

std::vector<int> Cartesian::coordinates(int rank) const {
  std::vector<int> result(sizes_.size());
  for (std::size_t dimension = sizes_.size(); dimension-- > 0;) {
    result[dimension] = rank % sizes_[dimension];
    rank /= sizes_[dimension];
  }
  return result;
}

std::optional<int> Cartesian::rank_at(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    const int size = sizes_[dimension];
    int at = coordinates[dimension];
    if (at < 0 || at >= size) {
      if (!are_periodic_[dimension]) return std::nullopt;
      at = (at % size + size) % size;
    }
    rank = rank * size + at;
  }
  return rank;
}

int Cartesian::shifted(int rank, int dimension, int steps) const {
  std::vector<int> at = coordinates(rank);
  int& moved = at[static_cast<std::size_t>(dimension)];
  const long long target = static_cast<long long>(moved) + steps;
  if (target >= 0 && target < size(dimension)) {
    moved = static_cast<int>(target);
  } else if (is_periodic(dimension)) {
    const long long size_of = size(dimension);
    moved = static_cast<int>((target % size_of + size_of) % size_of);
  } else {
    return MPI_PROC_NULL;
  }
  return *rank_at(at);
}

Cartesian::Part Cartesian::part_with(std::span<const int> is_kept, int rank) const {
  Part part;
  const std::vector<int> at = coordinates(rank);
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    int& number = is_kept[dimension] != 0 ? part.position : part.number;
    number = number * sizes_[dimension] + at[dimension];
    if (is_kept[dimension] == 0) continue;
    part.sizes.push_back(sizes_[dimension]);
    part.are_periodic.push_back(are_periodic_[dimension]);
  }
  return part;
}

std::span<const int> Graph::neighbours(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const int first = rank == 0 ? 0 : ends[at - 1];
  return std::span<const int>(edges).subspan(static_cast<std::size_t>(first),
                                             static_cast<std::size_t>(ends[at] - first));
}

}  // namespace kaon::ampi

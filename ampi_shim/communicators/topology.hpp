// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace kaon::ampi {

/// A grid of ranks, the last dimension the fastest.
class Cartesian {
 public:
  Cartesian(std::vector<int> sizes, std::vector<bool> are_periodic)
      : sizes_(std::move(sizes)), are_periodic_(std::move(are_periodic)) {}

  int dimensions() const { return static_cast<int>(sizes_.size()); }
  int size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }
  bool is_periodic(int dimension) const { return are_periodic_[static_cast<std::size_t>(dimension)]; }
  int ranks() const;

  std::vector<int> coordinates(int rank) const;
  /// Nothing: they are outside of a dimension that is not periodic.
  std::optional<int> rank_at(std::span<const int> coordinates) const;
  /// The rank so many steps away in a dimension; MPI_PROC_NULL: there is none.
  int shifted(int rank, int dimension, int steps) const;

  struct Part {
    std::vector<int> sizes;
    std::vector<bool> are_periodic;
    int number = 0;    // of the part that a rank is in
    int position = 0;  // of the rank in it
  };
  /// The grid of the dimensions that are kept, as a rank is in it.
  Part part_with(std::span<const int> is_kept, int rank) const;

 private:
  std::vector<int> sizes_;
  std::vector<bool> are_periodic_;
};

/// Each rank's neighbours in one list: those of rank r end before ends[r].
struct Graph {
  std::vector<int> ends;
  std::vector<int> edges;

  std::span<const int> neighbours(int rank) const;
};

/// A distributed graph: each rank knows its own edges alone.
struct DistributedGraph {
  std::vector<int> sources;
  std::vector<int> source_weights;
  std::vector<int> destinations;
  std::vector<int> destination_weights;
  bool is_weighted = false;
};

struct Topology : std::variant<Cartesian, Graph, DistributedGraph> {
  using variant::variant;
};

/// Sizes that are 0 are chosen, as equal as they can be, the larger ones first; false: no sizes give `ranks`.
bool choose_grid(int ranks, std::span<int> sizes);

}  // namespace kaon::ampi

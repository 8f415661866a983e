// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/topology.hpp"

#include <mpi.h>

#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

using Sizes = std::vector<int>;

Sizes grid_of(int ranks, Sizes sizes) {
  REQUIRE(choose_grid(ranks, sizes));
  return sizes;
}

bool has_no_grid(int ranks, Sizes sizes) { return !choose_grid(ranks, sizes); }

const Cartesian kGrid({3, 4, 2}, {true, false, true});

}  // namespace

TEST_CASE("sizes of a grid are as equal as they can be, the larger ones first", "[topologies]") {
  CHECK(grid_of(6, {0, 0}) == Sizes{3, 2});
  CHECK(grid_of(7, {0, 0}) == Sizes{7, 1});
  CHECK(grid_of(6, {0, 3, 0}) == Sizes{2, 3, 1});
  CHECK(grid_of(16, {0, 0, 0}) == Sizes{4, 2, 2});
  CHECK(grid_of(1024, {0, 0, 0}) == Sizes{16, 8, 8});
  CHECK(grid_of(36, {0, 0, 0}) == Sizes{4, 3, 3});
  CHECK(grid_of(1, {0, 0, 0}) == Sizes{1, 1, 1});
  CHECK(grid_of(60, {0, 0, 0}) == Sizes{5, 4, 3});
  CHECK(grid_of(5040, {0, 0, 0}) == Sizes{21, 16, 15});  // not 20, 18, 14, which differ as much
  CHECK(grid_of(98784, {0, 0, 0, 0, 0}) == Sizes{14, 14, 9, 8, 7});
  CHECK(grid_of(5616, {0, 0, 0, 0}) == Sizes{13, 9, 8, 6});
  CHECK(grid_of(590520, {0, 0, 0, 0}) == Sizes{38, 37, 21, 20});
  CHECK(grid_of(24, {4, 6}) == Sizes{4, 6});
  CHECK(grid_of(1 << 20, Sizes(10, 0)) == Sizes(10, 4));
  CHECK(grid_of(999983, {0, 0, 0, 0}) == Sizes{999983, 1, 1, 1});  // a prime
}

TEST_CASE("sizes that do not divide the ranks are refused", "[topologies]") {
  CHECK(has_no_grid(7, {0, 3, 0}));
  CHECK(has_no_grid(24, {4, 5}));
  CHECK(has_no_grid(4, {8, 0}));
}

TEST_CASE("ranks and coordinates of a grid lead to each other", "[topologies]") {
  CHECK(kGrid.ranks() == 24);
  CHECK(kGrid.coordinates(13) == Sizes{1, 2, 1});
  for (int rank = 0; rank < 24; ++rank) CHECK(kGrid.rank_at(kGrid.coordinates(rank)) == rank);
  CHECK(kGrid.rank_at(Sizes{-1, 2, 3}) == kGrid.rank_at(Sizes{2, 2, 1}));
  CHECK_FALSE(kGrid.rank_at(Sizes{0, 4, 0}));
  CHECK_FALSE(kGrid.rank_at(Sizes{0, -1, 0}));
  CHECK(Cartesian({}, {}).ranks() == 1);
  CHECK(Cartesian({}, {}).rank_at({}) == 0);
}

TEST_CASE("a shift goes around where the grid does, and out of it elsewhere", "[topologies]") {
  const int rank = *kGrid.rank_at(Sizes{0, 0, 1});
  CHECK(kGrid.shifted(rank, 0, -1) == kGrid.rank_at(Sizes{2, 0, 1}));
  CHECK(kGrid.shifted(rank, 0, 7) == kGrid.rank_at(Sizes{1, 0, 1}));
  CHECK(kGrid.shifted(rank, 1, -1) == MPI_PROC_NULL);
  CHECK(kGrid.shifted(rank, 1, 3) == kGrid.rank_at(Sizes{0, 3, 1}));
  CHECK(kGrid.shifted(rank, 1, 4) == MPI_PROC_NULL);
  CHECK(kGrid.shifted(rank, 2, 1) == kGrid.rank_at(Sizes{0, 0, 0}));
  CHECK(kGrid.shifted(rank, 2, -2147483647) == kGrid.rank_at(Sizes{0, 0, 0}));
}

TEST_CASE("a part of a grid has the dimensions that are kept", "[topologies]") {
  const int rank = *kGrid.rank_at(Sizes{2, 3, 1});
  const Cartesian::Part part = kGrid.part_with(Sizes{1, 0, 1}, rank);
  CHECK(part.sizes == Sizes{3, 2});
  CHECK(part.are_periodic == std::vector<bool>{true, true});
  CHECK(part.number == 3);
  CHECK(part.position == 2 * 2 + 1);
  CHECK(kGrid.part_with(Sizes{0, 0, 0}, rank).number == rank);
}

TEST_CASE("a graph gives each rank its neighbours", "[topologies]") {
  const Graph graph{{2, 2, 5}, {1, 2, 0, 0, 1}};
  const auto of = [&](int rank) {
    const auto all = graph.neighbours(rank);
    return Sizes(all.begin(), all.end());
  };
  CHECK(of(0) == Sizes{1, 2});
  CHECK(of(1).empty());
  CHECK(of(2) == Sizes{0, 0, 1});
}

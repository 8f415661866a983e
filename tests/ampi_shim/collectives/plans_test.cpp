// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/plans.hpp"

#include <numeric>
#include <utility>

#include "tests/ampi_shim/collectives/elements.hpp"
#include "tests/ampi_shim/collectives/simulated_ranks.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;
using namespace kaon::testing;

namespace {

constexpr int kSizes[] = {1, 2, 3, 4, 5, 7, 8, 13, 16};

int a_size() { return GENERATE(from_range(std::begin(kSizes), std::end(kSizes))); }
unsigned a_seed() { return GENERATE(1u, 2u, 3u); }

/// Memory of the same kind for each rank.
std::vector<Elements> for_each_rank(int size, const Datatype& type, MPI_Count count) {
  return std::vector<Elements>(static_cast<std::size_t>(size), Elements(type, count));
}

Values joined(const std::vector<Values>& parts) {
  Values all;
  for (const Values& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Values maps_of_all(int size, MPI_Count count) {
  Values all;
  for (int rank = 0; rank < size; ++rank) {
    const Values values = maps_of(rank, count);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// What each rank has for each other: `counts(from, to)` elements.
struct Exchange {
  int size;
  int pattern;
  MPI_Count count(int from, int to) const { return pattern == 0 ? 3 : (from * 5 + to * 3) % 4; }
  Values values(int from, int to) const { return maps_of(from * 100 + to, count(from, to)); }
};

}  // namespace

TEST_CASE("nobody leaves a barrier before all have come", "[collectives]") {
  const int size = a_size();
  SimulatedRanks ranks(size, a_seed());
  static int come;
  static bool early;
  come = 0;
  early = false;
  static int all;
  all = size;
  ranks.add([&](int rank, Schedule& schedule) {
    schedule.call([](void*) { ++come; }, nullptr);
    plan_barrier(schedule, {rank, size});
    schedule.call([](void*) { early |= come != all; }, nullptr);
  });
  REQUIRE(ranks.run());
  REQUIRE_FALSE(early);
}

TEST_CASE("a broadcast brings the root's elements to all, whatever their type", "[collectives]") {
  const int size = a_size();
  const unsigned seed = a_seed();
  const PairTypes types;
  for (int root = 0; root < size; ++root) {
    std::vector<Elements> data;
    for (int rank = 0; rank < size; ++rank) {
      const Datatype& type = rank % 2 == 0 ? *types.dense : *types.holed;
      data.emplace_back(type, 4, rank == root ? maps_of(root, 4) : Values{});
    }
    SimulatedRanks ranks(size, seed);
    ranks.add([&](int rank, Schedule& schedule) {
      plan_broadcast(schedule, {rank, size}, data[static_cast<std::size_t>(rank)].piece(), root);
    });
    REQUIRE(ranks.run());
    for (const Elements& elements : data) REQUIRE(elements.values() == maps_of(root, 4));
  }
}

TEST_CASE("gather and scatter go between the root's blocks and all ranks", "[collectives]") {
  const int size = a_size();
  const bool in_place = GENERATE(false, true);
  const PairTypes types;
  for (int root = 0; root < size; ++root) {
    Elements all(*types.holed, 2 * size);
    auto mine = for_each_rank(size, *types.dense, 2);
    for (int rank = 0; rank < size; ++rank) mine[static_cast<std::size_t>(rank)] = {*types.dense, 2, maps_of(rank, 2)};
    if (in_place) types.holed->unpack(all.piece(2 * root, 2).at, maps_of(root, 2).data(), 2);
    auto back = for_each_rank(size, *types.dense, 2);
    SimulatedRanks ranks(size, a_seed());
    ranks.add([&](int rank, Schedule& schedule) {
      const auto at = static_cast<std::size_t>(rank);
      const bool is_here = in_place && rank == root;
      const Piece here{MPI_IN_PLACE, 2, types.dense};
      const Blocks blocks(all.at(), 2, *types.holed);
      plan_gather(schedule, {rank, size}, is_here ? here : mine[at].piece(), blocks, root);
      schedule.fence();
      plan_scatter(schedule, {rank, size}, blocks, is_here ? here : back[at].piece(), root);
    });
    REQUIRE(ranks.run());
    REQUIRE(all.values() == maps_of_all(size, 2));
    for (int rank = 0; rank < size; ++rank) {
      const Values expected = in_place && rank == root ? Values(4) : maps_of(rank, 2);
      REQUIRE(back[static_cast<std::size_t>(rank)].values() == expected);
    }
  }
}

TEST_CASE("an allgather brings everybody's elements to all, few and many", "[collectives]") {
  const int size = a_size();
  const MPI_Count count = GENERATE(0, 1, 3, 700);
  const bool in_place = GENERATE(false, true);
  const PairTypes types;
  auto all = for_each_rank(size, *types.holed, size * count);
  std::vector<Elements> mine;
  for (int rank = 0; rank < size; ++rank) {
    mine.emplace_back(*types.dense, count, maps_of(rank, count));
    const Piece own = all[static_cast<std::size_t>(rank)].piece(rank * count, count);
    if (in_place) types.holed->unpack(own.at, maps_of(rank, count).data(), count);
  }
  SimulatedRanks ranks(size, a_seed());
  ranks.add([&](int rank, Schedule& schedule) {
    const auto at = static_cast<std::size_t>(rank);
    const Piece own = in_place ? Piece{MPI_IN_PLACE, 0, types.dense} : mine[at].piece();
    plan_allgather(schedule, {rank, size}, own, Blocks(all[at].at(), count, *types.holed));
  });
  REQUIRE(ranks.run());
  for (const Elements& elements : all) REQUIRE(elements.values() == maps_of_all(size, count));
}

TEST_CASE("an allgather with blocks of different sizes puts each in its place", "[collectives]") {
  const int size = a_size();
  const MPI_Count scale = GENERATE(1, 900);
  const PairTypes types;
  std::vector<int> counts;
  std::vector<int> starts;
  std::vector<Values> parts;
  int end = 0;
  for (int rank = 0; rank < size; ++rank) {
    counts.push_back(static_cast<int>(rank % 3 * scale));
    starts.push_back(end);
    end += counts.back();
    parts.push_back(maps_of(rank, counts.back()));
  }
  auto all = for_each_rank(size, *types.dense, end);
  SimulatedRanks ranks(size, a_seed());
  std::vector<Elements> mine;
  for (int rank = 0; rank < size; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    mine.emplace_back(*types.holed, counts[at], parts[at]);
  }
  ranks.add([&](int rank, Schedule& schedule) {
    const auto at = static_cast<std::size_t>(rank);
    const std::vector<MPI_Aint> wide(starts.begin(), starts.end());
    const Blocks blocks(all[at].at(), counts.data(), wide.data(), *types.dense);
    plan_allgather(schedule, {rank, size}, mine[at].piece(), blocks);
  });
  REQUIRE(ranks.run());
  for (const Elements& elements : all) REQUIRE(elements.values() == joined(parts));
}

namespace {

/// Blocks one behind the other, of the counts of an exchange, seen from a rank.
struct Row {
  Row(const Exchange& exchange, int rank, bool is_sent, const Datatype& type)
      : memory(type, total(exchange, rank, is_sent)) {
    for (int peer = 0; peer < exchange.size; ++peer) {
      counts.push_back(is_sent ? exchange.count(rank, peer) : exchange.count(peer, rank));
      starts.push_back(end);
      const Values values = is_sent ? exchange.values(rank, peer) : exchange.values(peer, rank);
      expected.insert(expected.end(), values.begin(), values.end());
      end += counts.back();
    }
  }
  static MPI_Count total(const Exchange& exchange, int rank, bool is_sent) {
    MPI_Count sum = 0;
    for (int peer = 0; peer < exchange.size; ++peer)
      sum += is_sent ? exchange.count(rank, peer) : exchange.count(peer, rank);
    return sum;
  }
  Blocks blocks() const { return {memory.at(), counts.data(), starts.data(), memory.type()}; }
  void fill() { memory.type().unpack(memory.at(), expected.data(), end); }

  Elements memory;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> starts;
  Values expected;
  MPI_Count end = 0;
};

}  // namespace

TEST_CASE("an all-to-all brings each block to its rank, equal or not, more ranks than go at once", "[collectives]") {
  const int size = GENERATE(1, 2, 3, 8, 40);
  const Exchange exchange{size, GENERATE(0, 1)};
  const PairTypes types;
  std::vector<Row> from;
  std::vector<Row> to;
  for (int rank = 0; rank < size; ++rank) {
    from.emplace_back(exchange, rank, true, *types.holed).fill();
    to.emplace_back(exchange, rank, false, *types.dense);
  }
  SimulatedRanks ranks(size, 7);
  ranks.add([&](int rank, Schedule& schedule) {
    const auto at = static_cast<std::size_t>(rank);
    plan_alltoall(schedule, {rank, size}, from[at].blocks(), to[at].blocks(), false);
  });
  REQUIRE(ranks.run());
  for (const Row& row : to) REQUIRE(row.memory.values() == row.expected);
}

TEST_CASE("an all-to-all in place exchanges the blocks of each pair", "[collectives]") {
  const int size = GENERATE(1, 2, 5, 8);
  const PairTypes types;
  const Exchange exchange{size, 0};
  std::vector<Row> rows;
  for (int rank = 0; rank < size; ++rank) {
    rows.emplace_back(exchange, rank, false, *types.holed);
    Row sent(exchange, rank, true, *types.holed);
    rows.back().memory.type().unpack(rows.back().memory.at(), sent.expected.data(), sent.end);
  }
  SimulatedRanks ranks(size, a_seed());
  ranks.add([&](int rank, Schedule& schedule) {
    plan_alltoall(schedule, {rank, size}, {}, rows[static_cast<std::size_t>(rank)].blocks(), true);
  });
  REQUIRE(ranks.run());
  for (const Row& row : rows) REQUIRE(row.memory.values() == row.expected);
}

// SPDX-License-Identifier: Apache-2.0

#include "kaon/ampi_shim/collectives/plans.hpp"
#include "tests/ampi_shim/collectives/elements.hpp"
#include "tests/ampi_shim/collectives/simulated_ranks.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;
using namespace kaon::testing;

namespace {

constexpr MPI_Count kPairs = 3;

/// What each rank gives to a reduction and gets from it.
struct Reductions {
  explicit Reductions(int size) : size(size), in_place(GENERATE(false, true)), has_holes(GENERATE(false, true)) {
    Datatype& type = has_holes ? *types.holed : *types.dense;
    for (int rank = 0; rank < size; ++rank) {
      from.emplace_back(type, kPairs, maps_of(rank, kPairs));
      result.emplace_back(type, kPairs, in_place ? maps_of(rank, kPairs) : Values{});
    }
  }
  Reduction of(int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return {in_place ? MPI_IN_PLACE : from[at].at(), result[at].piece(), &composition.operation()};
  }
  bool run(void (*plan)(Schedule&, const Team&, const Reduction&)) {
    SimulatedRanks ranks(size, GENERATE(1u, 2u));
    ranks.add([&](int rank, Schedule& schedule) { plan(schedule, {rank, size}, of(rank)); });
    return ranks.run();
  }
  bool are_untouched() const {
    for (int rank = 0; rank < size; ++rank)
      if (from[static_cast<std::size_t>(rank)].values() != maps_of(rank, kPairs)) return false;
    return true;
  }

  PairTypes types;
  Composition composition{false};
  int size;
  bool in_place;
  bool has_holes;
  std::vector<Elements> from;
  std::vector<Elements> result;
};

int a_size() { return GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 11, 16); }

}  // namespace

TEST_CASE("a reduction puts the values in the order of ranks, at any root", "[collectives]") {
  const int size = a_size();
  const int root = GENERATE_COPY(range(0, size));
  Reductions of(size);
  SimulatedRanks ranks(size, 3);
  ranks.add([&](int rank, Schedule& schedule) {
    Reduction reduction = of.of(rank);
    if (rank != root) reduction.from = of.from[static_cast<std::size_t>(rank)].at();
    plan_reduce(schedule, {rank, size}, reduction, root);
  });
  REQUIRE(ranks.run());
  REQUIRE(of.result[static_cast<std::size_t>(root)].values() == composed_up_to(size, kPairs));
  REQUIRE(of.are_untouched());
}

TEST_CASE("a reduction that may be reordered uses each value once", "[collectives]") {
  const int size = a_size();
  const int root = GENERATE_COPY(range(0, size));
  // The maps x + b commute.
  const auto shift = [](int rank) { return Values{1, 1u << rank}; };
  const PairTypes types;
  const Composition composition(true);
  std::vector<Elements> from;
  for (int rank = 0; rank < size; ++rank) from.emplace_back(*types.dense, 1, shift(rank));
  const Elements result(*types.dense, 1);
  SimulatedRanks ranks(size, 3);
  ranks.add([&](int rank, Schedule& schedule) {
    const Reduction reduction{from[static_cast<std::size_t>(rank)].at(), result.piece(), &composition.operation()};
    plan_reduce(schedule, {rank, size}, reduction, root);
  });
  REQUIRE(ranks.run());
  REQUIRE(result.values() == Values{1, (1u << size) - 1});
}

TEST_CASE("an allreduce gives all the values in the order of ranks", "[collectives]") {
  Reductions of(a_size());
  REQUIRE(of.run(plan_allreduce));
  for (const Elements& result : of.result) REQUIRE(result.values() == composed_up_to(of.size, kPairs));
  REQUIRE(of.are_untouched());
}

TEST_CASE("a scan gives the values up to the own one, an exscan those before it", "[collectives]") {
  Reductions of(a_size());
  const bool is_exclusive = GENERATE(false, true);
  REQUIRE(of.run(is_exclusive ? plan_exscan : plan_scan));
  for (int rank = is_exclusive ? 1 : 0; rank < of.size; ++rank) {
    const int end = is_exclusive ? rank : rank + 1;
    REQUIRE(of.result[static_cast<std::size_t>(rank)].values() == composed_up_to(end, kPairs));
  }
  REQUIRE(of.are_untouched());
}

TEST_CASE("reduce-scatter gives each rank its block, of its size", "[collectives]") {
  const int size = a_size();
  const bool in_place = GENERATE(false, true);
  const PairTypes types;
  const Composition composition(false);
  std::vector<MPI_Count> counts;
  MPI_Count total = 0;
  for (int rank = 0; rank < size; ++rank) {
    counts.push_back(rank % 3);
    total += rank % 3;
  }
  std::vector<Elements> from;
  std::vector<Elements> to;
  for (int rank = 0; rank < size; ++rank) {
    from.emplace_back(*types.holed, total, maps_of(rank, total));
    to.emplace_back(*types.holed, total, in_place ? maps_of(rank, total) : Values{});
  }
  SimulatedRanks ranks(size, 5);
  ranks.add([&](int rank, Schedule& schedule) {
    const auto at = static_cast<std::size_t>(rank);
    const Piece result{nullptr, total, types.holed};
    const Reduction reduction{in_place ? MPI_IN_PLACE : from[at].at(), result, &composition.operation()};
    plan_reduce_scatter(schedule, {rank, size}, reduction, counts.data(), to[at].at());
  });
  REQUIRE(ranks.run());
  const Values all = composed_up_to(size, total);
  auto at = all.begin();
  for (int rank = 0; rank < size; ++rank) {
    const auto own = static_cast<std::ptrdiff_t>(2 * counts[static_cast<std::size_t>(rank)]);
    Values mine = to[static_cast<std::size_t>(rank)].values();
    mine.resize(static_cast<std::size_t>(own));
    REQUIRE(mine == Values(at, at + own));
    at += own;
  }
}

TEST_CASE("reductions of nothing send nothing", "[collectives]") {
  const PairTypes types;
  const Composition composition(false);
  SimulatedRanks ranks(4);
  ranks.add([&](int rank, Schedule& schedule) {
    const Reduction reduction{nullptr, {nullptr, 0, types.dense}, &composition.operation()};
    plan_reduce(schedule, {rank, 4}, reduction, 2);
    plan_allreduce(schedule, {rank, 4}, reduction);
    plan_scan(schedule, {rank, 4}, reduction);
    plan_exscan(schedule, {rank, 4}, reduction);
  });
  REQUIRE(ranks.run());
}

TEST_CASE("collectives that are under way together do not mix", "[collectives]") {
  const int size = GENERATE(2, 5, 8);
  SimulatedRanks ranks(size, GENERATE(range(0u, 20u)));
  const PairTypes types;
  const Composition composition(false);
  std::vector<std::vector<Elements>> results;
  std::vector<Elements> from;
  for (int rank = 0; rank < size; ++rank) from.emplace_back(*types.dense, kPairs, maps_of(rank, kPairs));
  for (int i = 0; i < 4; ++i) {
    results.emplace_back(static_cast<std::size_t>(size), Elements(*types.holed, kPairs));
    // The types differ in their holes only, so that each result is received as what it is.
    ranks.add([&, i](int rank, Schedule& schedule) {
      const auto at = static_cast<std::size_t>(rank);
      const Elements& result = results[static_cast<std::size_t>(i)][at];
      if (i % 2 == 0) {
        schedule.copy(from[at].piece(), result.piece());
        plan_broadcast(schedule, {rank, size}, result.piece(), i % size);
      } else {
        schedule.copy(from[at].piece(), result.piece());
        plan_allreduce(schedule, {rank, size}, {MPI_IN_PLACE, result.piece(), &composition.operation()});
      }
    });
  }
  REQUIRE(ranks.run());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Values expected = i % 2 == 0 ? maps_of(static_cast<int>(i) % size, kPairs) : composed_up_to(size, kPairs);
    for (const Elements& result : results[i]) REQUIRE(result.values() == expected);
  }
}

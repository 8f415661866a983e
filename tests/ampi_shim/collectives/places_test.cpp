// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/places.hpp"

#include <span>
#include <vector>

#include "tests/ampi_shim/collectives/elements.hpp"
#include "tests/ampi_shim/collectives/simulated_ranks.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;
using namespace kaon::testing;

namespace {

/// Ranks in several places: blocks of ranks, every third rank, all in one, each alone.
struct Hosts {
  int size = GENERATE(1, 2, 5, 8, 12);
  int kind = GENERATE(0, 1, 2, 3);
  unsigned seed = GENERATE(1u, 2u);

  Places of(int rank) const {
    return Places(rank, size, [kind = kind](int other) {
      return kind == 0 ? other / 3 : kind == 1 ? other % 3 : kind == 2 ? 7 : other;
    });
  }
  template <class Plan>
  bool run(Plan plan) const {
    SimulatedRanks ranks(size, seed);
    std::vector<Places> places;
    for (int rank = 0; rank < size; ++rank) places.push_back(of(rank));
    ranks.add([&](int rank, Schedule& schedule) {
      plan(static_cast<std::size_t>(rank), schedule, places[static_cast<std::size_t>(rank)]);
    });
    return ranks.run();
  }
};

// The maps x + b commute.
Values shift(int rank) { return {1, 1u << rank}; }
Values shift_of_all(int size) { return {1, (1u << size) - 1}; }

std::vector<Elements> shifts(const Hosts& hosts, const PairTypes& types, bool are_filled) {
  std::vector<Elements> all;
  for (int rank = 0; rank < hosts.size; ++rank) all.emplace_back(*types.holed, 1, are_filled ? shift(rank) : Values{});
  return all;
}

std::vector<int> listed(std::span<const int> ranks) { return {ranks.begin(), ranks.end()}; }

}  // namespace

TEST_CASE("places of a neighbour serve the ranks of its place", "[collectives]") {
  const auto place_of = [](int rank) { return rank % 3; };
  const auto first = GENERATE(1, 4, 7), rank = GENERATE(1, 4, 7);
  const Places places(rank, Places(first, 8, place_of), place_of), own(rank, 8, place_of);
  CHECK(places.rank() == rank);
  CHECK(places.index_here() == own.index_here());
  CHECK(places.ranks_here() == 3);
  CHECK(places.leads() == own.leads());
  CHECK(listed(places.others()) == listed(own.others()));
  CHECK(places.leaders().rank == own.leaders().rank);
  CHECK(places.leader_of(5) == 2);
  CHECK(places.are_in_order() == own.are_in_order());
}

TEST_CASE("places have their lowest ranks as leaders, in the order of these", "[collectives]") {
  const auto place_of = [](int rank) { return 100 - rank % 3; };
  const Places places(4, 8, place_of);
  CHECK(places.leader() == 1);
  CHECK_FALSE(places.leads());
  CHECK(places.others().empty());
  CHECK(listed(Places(1, 8, place_of).others()) == std::vector<int>{4, 7});
  CHECK(places.leaders().size == 3);
  CHECK(places.leaders().rank == 1);
  CHECK(places.leader_of(5) == 2);
  CHECK(places.are_worth_it());
  CHECK_FALSE(Places(0, 8, [](int rank) { return rank / 2; }).are_worth_it());
}

TEST_CASE("nobody leaves a barrier of places before all have come", "[collectives]") {
  const Hosts hosts;
  static int come;
  static int all;
  static bool early;
  come = 0;
  early = false;
  all = hosts.size;
  REQUIRE(hosts.run([](std::size_t, Schedule& schedule, const Places& places) {
    schedule.call([](void*) { ++come; }, nullptr);
    plan_barrier(schedule, places);
    schedule.fence();
    schedule.call([](void*) { early |= come != all; }, nullptr);
  }));
  REQUIRE_FALSE(early);
}

TEST_CASE("a broadcast goes through places from any root", "[collectives]") {
  const Hosts hosts;
  const PairTypes types;
  for (int root = 0; root < hosts.size; ++root) {
    auto data = shifts(hosts, types, false);
    data[static_cast<std::size_t>(root)] = Elements(*types.dense, 1, shift(root));
    REQUIRE(hosts.run([&](std::size_t rank, Schedule& schedule, const Places& places) {
      plan_broadcast(schedule, places, data[rank].piece(), root);
    }));
    for (const Elements& elements : data) REQUIRE(elements.values() == shift(root));
  }
}

TEST_CASE("reductions of places use each value once", "[collectives]") {
  const Hosts hosts;
  const PairTypes types;
  const Composition composition(true);
  const bool in_place = GENERATE(false, true);
  const auto from = shifts(hosts, types, true);
  const auto result = shifts(hosts, types, in_place);
  const auto reduction = [&](std::size_t rank, bool is_here) {
    return Reduction{in_place && is_here ? MPI_IN_PLACE : from[rank].at(), result[rank].piece(),
                     &composition.operation()};
  };
  REQUIRE(hosts.run([&](std::size_t rank, Schedule& schedule, const Places& places) {
    plan_allreduce(schedule, places, reduction(rank, true));
  }));
  for (const Elements& elements : result) REQUIRE(elements.values() == shift_of_all(hosts.size));
  for (int root = 0; root < hosts.size; ++root) {
    auto at_root = shifts(hosts, types, in_place);
    REQUIRE(hosts.run([&](std::size_t rank, Schedule& schedule, const Places& places) {
      Reduction of_rank = reduction(rank, static_cast<int>(rank) == root);
      of_rank.result = static_cast<int>(rank) == root ? at_root[rank].piece() : Piece{nullptr, 1, types.holed};
      plan_reduce(schedule, places, of_rank, root);
    }));
    REQUIRE(at_root[static_cast<std::size_t>(root)].values() == shift_of_all(hosts.size));
  }
}

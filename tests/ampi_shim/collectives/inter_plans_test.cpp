// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/inter_plans.hpp"

#include "kaon/ampi_shim/collectives/neighbours.hpp"
#include "tests/ampi_shim/collectives/elements.hpp"
#include "tests/ampi_shim/collectives/simulated_ranks.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;
using namespace kaon::testing;

namespace {

/// Two groups: the ranks below `first` and the others.
struct Groups {
  int first = GENERATE(1, 2, 5);
  int second = GENERATE(1, 3, 4);
  unsigned seed = GENERATE(1u, 2u);
  PairTypes types;

  int size() const { return first + second; }
  bool is_first(int rank) const { return rank < first; }
  int own_size(int rank) const { return is_first(rank) ? first : second; }
  int other_size(int rank) const { return is_first(rank) ? second : first; }
  int rank_in_group(int rank) const { return is_first(rank) ? rank : rank - first; }
  Sides sides(int rank) const { return {{rank_in_group(rank), own_size(rank), Side::local_group}, other_size(rank)}; }

  std::vector<Elements> elements(MPI_Count count, bool are_filled) const {
    std::vector<Elements> all;
    for (int rank = 0; rank < size(); ++rank)
      all.emplace_back(rank % 2 == 0 ? *types.dense : *types.holed, count,
                       are_filled ? maps_of(rank, count) : Values{});
    return all;
  }
  template <class Plan>
  bool run(Plan plan) const {
    SimulatedRanks ranks(size(), first, seed);
    ranks.add([&](int rank, Schedule& schedule) { plan(static_cast<std::size_t>(rank), schedule, sides(rank)); });
    return ranks.run();
  }
  /// What a rank of the group that is not the root's calls the root, and what others do.
  int name_of(int root, int rank) const {
    if (is_first(rank) != is_first(root)) return rank_in_group(root);
    return rank == root ? MPI_ROOT : MPI_PROC_NULL;
  }
};

/// The maps of a group's ranks in their order.
Values composed_of(const Groups& groups, bool first, MPI_Count count) {
  const int begin = first ? 0 : groups.first;
  Values all = maps_of(begin, count);
  for (int rank = begin + 1; rank < (first ? groups.first : groups.size()); ++rank)
    all = composed(all, maps_of(rank, count));
  return all;
}

}  // namespace

TEST_CASE("nobody leaves a barrier of two groups before all of both have come", "[collectives]") {
  const Groups groups;
  static int come;
  static int all;
  static bool early;
  come = 0;
  early = false;
  all = groups.size();
  REQUIRE(groups.run([&](std::size_t, Schedule& schedule, const Sides& sides) {
    schedule.call([](void*) { ++come; }, nullptr);
    plan_inter_barrier(schedule, sides);
    schedule.call([](void*) { early |= come != all; }, nullptr);
  }));
  REQUIRE_FALSE(early);
}

TEST_CASE("a broadcast of two groups goes from a root to all of the other", "[collectives]") {
  const Groups groups;
  for (int root = 0; root < groups.size(); ++root) {
    auto data = groups.elements(3, false);
    data[static_cast<std::size_t>(root)] = Elements(*groups.types.holed, 3, maps_of(root, 3));
    REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
      plan_inter_broadcast(schedule, sides, data[rank].piece(), groups.name_of(root, static_cast<int>(rank)));
    }));
    for (int rank = 0; rank < groups.size(); ++rank) {
      const bool gets = groups.is_first(rank) != groups.is_first(root) || rank == root;
      CHECK(data[static_cast<std::size_t>(rank)].values() == (gets ? maps_of(root, 3) : Values(6)));
    }
  }
}

TEST_CASE("gather and scatter of two groups go between a root and all of the other", "[collectives]") {
  const Groups groups;
  for (int root = 0; root < groups.size(); ++root) {
    const auto mine = groups.elements(2, true);
    const auto back = groups.elements(2, false);
    const Elements all(*groups.types.holed, 2 * groups.other_size(root));
    REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
      const int name = groups.name_of(root, static_cast<int>(rank));
      const Blocks blocks(all.at(), 2, *groups.types.holed);
      plan_inter_gather(schedule, sides, mine[rank].piece(), blocks, name);
      schedule.fence();
      plan_inter_scatter(schedule, sides, blocks, back[rank].piece(), name);
    }));
    for (int rank = 0; rank < groups.size(); ++rank) {
      const bool is_other = groups.is_first(rank) != groups.is_first(root);
      CHECK(back[static_cast<std::size_t>(rank)].values() == (is_other ? maps_of(rank, 2) : Values(4)));
    }
  }
}

TEST_CASE("allgather and allreduce of two groups bring each what the other has", "[collectives]") {
  const Groups groups;
  const Composition composition(false);
  const auto mine = groups.elements(2, true);
  const auto result = groups.elements(2, false);
  std::vector<Elements> gathered;
  for (int rank = 0; rank < groups.size(); ++rank)
    gathered.emplace_back(*groups.types.dense, 2 * groups.other_size(rank));
  REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
    plan_inter_allgather(schedule, sides, mine[rank].piece(), Blocks(gathered[rank].at(), 2, *groups.types.dense));
    schedule.fence();
    plan_inter_allreduce(schedule, sides, {mine[rank].at(), result[rank].piece(), &composition.operation()});
  }));
  for (int rank = 0; rank < groups.size(); ++rank) {
    const bool first = groups.is_first(rank);
    Values others;
    for (int i = 0; i < groups.other_size(rank); ++i) {
      const Values values = maps_of(first ? groups.first + i : i, 2);
      others.insert(others.end(), values.begin(), values.end());
    }
    CHECK(gathered[static_cast<std::size_t>(rank)].values() == others);
    CHECK(result[static_cast<std::size_t>(rank)].values() == composed_of(groups, !first, 2));
  }
}

TEST_CASE("an all-to-all of two groups exchanges the blocks of each pair", "[collectives]") {
  const Groups groups;
  std::vector<Elements> from;
  std::vector<Elements> to;
  const auto block = [](int sender, int receiver) { return maps_of(sender * 20 + receiver, 1); };
  const auto of_all = [&](int rank, bool is_sent) {
    Values values;
    for (int i = 0; i < groups.other_size(rank); ++i) {
      const int other = groups.is_first(rank) ? groups.first + i : i;
      const Values one = is_sent ? block(rank, other) : block(other, rank);
      values.insert(values.end(), one.begin(), one.end());
    }
    return values;
  };
  for (int rank = 0; rank < groups.size(); ++rank) {
    from.emplace_back(*groups.types.holed, groups.other_size(rank), of_all(rank, true));
    to.emplace_back(*groups.types.dense, groups.other_size(rank));
  }
  REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
    plan_inter_alltoall(schedule, sides, Blocks(from[rank].at(), 1, *groups.types.holed),
                        Blocks(to[rank].at(), 1, *groups.types.dense));
  }));
  for (int rank = 0; rank < groups.size(); ++rank)
    CHECK(to[static_cast<std::size_t>(rank)].values() == of_all(rank, false));
}

TEST_CASE("a reduction of two groups gives a root what the other has", "[collectives]") {
  const Groups groups;
  const Composition composition(false);
  for (int root = 0; root < groups.size(); ++root) {
    const auto mine = groups.elements(2, true);
    const Elements result(*groups.types.dense, 2);
    REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
      const int name = groups.name_of(root, static_cast<int>(rank));
      const Piece whole{name == MPI_ROOT ? result.at() : nullptr, 2, &mine[rank].type()};
      const Piece place = name == MPI_ROOT ? result.piece() : whole;
      plan_inter_reduce(schedule, sides, {mine[rank].at(), place, &composition.operation()}, name);
    }));
    CHECK(result.values() == composed_of(groups, !groups.is_first(root), 2));
  }
}

TEST_CASE("reduce-scatter of two groups spreads over one what the other has", "[collectives]") {
  const Groups groups;
  const Composition composition(false);
  const MPI_Count total = groups.first * groups.second;  // shares of equal sums in both
  std::vector<Elements> from;
  std::vector<Elements> to;
  for (int rank = 0; rank < groups.size(); ++rank) {
    from.emplace_back(*groups.types.dense, total, maps_of(rank, total));
    to.emplace_back(*groups.types.dense, total / groups.own_size(rank));
  }
  REQUIRE(groups.run([&](std::size_t rank, Schedule& schedule, const Sides& sides) {
    const MPI_Count share = total / sides.local.size;
    const std::vector<MPI_Count> counts(static_cast<std::size_t>(sides.local.size), share);
    const Piece result{to[rank].at(), total, groups.types.dense};
    plan_inter_reduce_scatter(schedule, sides, {from[rank].at(), result, &composition.operation()}, counts.data());
  }));
  for (int rank = 0; rank < groups.size(); ++rank) {
    const Values all = composed_of(groups, !groups.is_first(rank), total);
    const auto share = 2 * total / groups.own_size(rank);
    const auto begin = all.begin() + groups.rank_in_group(rank) * share;
    CHECK(to[static_cast<std::size_t>(rank)].values() == Values(begin, begin + share));
  }
}

TEST_CASE("on a ring of neighbours each block goes where it is sent, also with two ranks or one", "[collectives]") {
  const int size = GENERATE(1, 2, 3, 6);
  const bool is_closed = GENERATE(true, false);
  const PairTypes types;
  SimulatedRanks ranks(size, GENERATE(range(0u, 6u)));
  const auto block = [](int rank, int direction) { return maps_of(rank * 2 + direction, 1); };
  const auto neighbour = [&](int rank, int step) {
    const int other = rank + step;
    return is_closed ? (other + size) % size : other >= 0 && other < size ? other : MPI_PROC_NULL;
  };
  std::vector<Elements> from;
  std::vector<Elements> to;
  for (int rank = 0; rank < size; ++rank) {
    Values both = block(rank, 0);
    const Values up = block(rank, 1);
    both.insert(both.end(), up.begin(), up.end());
    from.emplace_back(*types.holed, 2, both);
    to.emplace_back(*types.dense, 2);
  }
  ranks.add([&](int rank, Schedule& schedule) {
    const auto at = static_cast<std::size_t>(rank);
    const std::vector<int> both{neighbour(rank, -1), neighbour(rank, 1)};
    plan_neighbour_exchange(schedule, {both, both, true}, Blocks(from[at].at(), 1, *types.holed),
                            Blocks(to[at].at(), 1, *types.dense));
  });
  REQUIRE(ranks.run());
  for (int rank = 0; rank < size; ++rank) {
    // From below comes what that rank sent up.
    const auto arrived = [&](int step) {
      const int other = neighbour(rank, step);
      return other == MPI_PROC_NULL ? Values(2) : block(other, step < 0 ? 1 : 0);
    };
    Values expected = arrived(-1);
    const Values above = arrived(1);
    expected.insert(expected.end(), above.begin(), above.end());
    CHECK(to[static_cast<std::size_t>(rank)].values() == expected);
  }
}

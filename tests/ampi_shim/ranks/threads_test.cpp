// SPDX-License-Identifier: Apache-2.0
// threads: ranks on the PEs of one process, which are threads, exchange messages and meet
#include <atomic>
#include <chrono>
#include <numeric>
#include <vector>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/collectives/direct_exchange.hpp"
#include "kaon/ampi_shim/collectives/meeting_reductions.hpp"
#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "tests/ampi_shim/ranks/run_on_threads.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

constexpr int kRanks = 7, kPes = 3;

int run_ranks_on_threads(const std::function<void(Rank&)>& program) {
  return ampi::run_ranks_on_threads(kRanks, kPes, program);
}

SendTo to_rank(const Rank& rank, int to, int tag) { return {kWorldContext, to, rank.number(), tag}; }
MatchKey from_rank(int from, int tag) { return {kWorldContext, from, tag}; }
Outgoing sent(const std::vector<int>& values) {
  return {values.data(), static_cast<MPI_Count>(values.size() * sizeof(int)), nullptr};
}
Incoming received(std::vector<int>& values) {
  return {values.data(), static_cast<MPI_Count>(values.size() * sizeof(int)), nullptr};
}
std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

void wait_and_end(Rank& rank, const std::vector<Request*>& requests) {
  wait_for_all(rank, requests);
  for (Request* const request : requests) request->was_told();
}

}  // namespace

TEST_CASE("ranks on several threads send each other messages of all sizes", "[ampi][ranks]") {
  std::atomic<int> wrong = 0;
  const int code = run_ranks_on_threads([&](Rank& rank) {
    for (const std::size_t count : {0u, 1u, 6u, 7u, 38u, 39u, 1000u, 4096u, 4097u, 50000u}) {
      std::vector<std::vector<int>> into(kRanks, std::vector<int>(count));
      const auto mine = numbers(count, rank.number());
      std::vector<Request*> requests;
      for (int peer = 0; peer < kRanks; ++peer) {
        const auto place = static_cast<std::size_t>(peer);
        requests.push_back(&start_receive(rank, from_rank(peer, 1), received(into[place])));
        requests.push_back(&start_send(rank, to_rank(rank, peer, 1), sent(mine)));
      }
      wait_and_end(rank, requests);
      for (int peer = 0; peer < kRanks; ++peer)
        if (into[static_cast<std::size_t>(peer)] != numbers(count, peer)) ++wrong;
    }
  });
  CHECK(code == 0);
  CHECK(wrong == 0);
}

TEST_CASE("a rank receives from any other in the order in which each has sent", "[ampi][ranks]") {
  constexpr int kMessages = 100;
  std::atomic<int> wrong = 0;
  const int code = run_ranks_on_threads([&](Rank& rank) {
    if (rank.number() != 0) {
      for (int i = 0; i < kMessages; ++i) {
        const std::size_t count = i % 3 == 0 ? 1 : i % 3 == 1 ? 30 : 6000;  // three ways to travel
        send(rank, to_rank(rank, 0, 2), sent(std::vector<int>(count, i)),
             i % 5 == 0 ? SendMode::synchronous : SendMode::standard);
      }
      return;
    }
    std::vector<int> next(kRanks, 0);
    for (int i = 0; i < kMessages * (kRanks - 1); ++i) {
      std::vector<int> values(6000);
      MPI_Status status;
      receive(rank, from_rank(MPI_ANY_SOURCE, 2), received(values), &status);
      if (values[0] != next[static_cast<std::size_t>(status.MPI_SOURCE)]++) ++wrong;
    }
  });
  CHECK(code == 0);
  CHECK(wrong == 0);
}

TEST_CASE("a message of a rank that computes for long leaves before that", "[ampi][ranks]") {
  using Clock = std::chrono::steady_clock;
  constexpr int kSteps = 100;
  std::atomic<int> heard = 0, late = 0;
  const auto compute_until = [](Clock::time_point end, const auto& is_done) {
    while (Clock::now() < end && !is_done()) continue;
  };
  const int code = run_ranks_on_threads([&](Rank& rank) {
    for (int step = 1; step <= kSteps && late == 0; ++step) {
      std::vector<int> value{step};
      if (rank.number() == 0) {
        send(rank, to_rank(rank, kRanks - 1, 3), sent(value));
        compute_until(Clock::now() + std::chrono::seconds(5), [&] { return heard >= step; });
        if (heard < step) ++late;
        compute_until(Clock::now() + std::chrono::microseconds(50), [] { return false; });  // a long turn
        receive(rank, from_rank(kRanks - 1, 4), received(value), nullptr);
      } else if (rank.number() == kRanks - 1) {  // of another PE
        receive(rank, from_rank(0, 3), received(value), nullptr);
        heard = step;
        send(rank, to_rank(rank, 0, 4), sent(value));
      }
    }
  });
  CHECK(code == 0);
  CHECK(late == 0);
}

TEST_CASE("ranks of several threads meet, and leave with the same sum", "[ampi][ranks]") {
  std::atomic<int> wrong = 0, inside = 0;
  const int code = run_ranks_on_threads([&](Rank& rank) {
    Communicator& world = rank.part<Communicators>().world();
    Meeting* const meeting = Meeting::of(rank, world);
    for (int round = 0; round < 200; ++round) {
      int value = rank.number() + round;
      const Piece result{&value, 1, Datatype::of(MPI_INT)};
      ReductionShare share({MPI_IN_PLACE, result, Operation::of(MPI_SUM)}, result);
      meeting->attend({"sum", rank, world}, share);
      if (value != kRanks * (kRanks - 1) / 2 + kRanks * round) ++wrong;
      ++inside;
      meeting->barrier({"barrier", rank, world});
      if (inside < kRanks * (round + 1)) ++wrong;
      meeting->barrier({"barrier", rank, world});
    }
  });
  CHECK(code == 0);
  CHECK(wrong == 0);
}

namespace {

/// One member's part of an allreduce, in either of the two ways that must go together.
void add_up(Rank& rank, Communicator& world, const Piece& value, bool is_direct) {
  const Team team{world.rank(), world.size()};
  const Operation& sum = *Operation::of(MPI_SUM);
  if (is_direct) {
    DirectExchange direct("sum", rank, world, world.next_collective_tag());
    direct.allreduce(team, sum, value);
    if (direct.error() != MPI_SUCCESS) throw std::runtime_error("a message went wrong");
  } else {
    run_now("sum", rank, world, [&](Schedule& schedule) {
      plan_allreduce(schedule, team, {MPI_IN_PLACE, value, &sum});
    });
  }
}

}  // namespace

TEST_CASE("ranks that are alone on their PEs add up at once or by schedules, together", "[ampi][ranks]") {
  const int ranks = GENERATE(1, 2, 3, 4, 5);
  const int way = GENERATE(0, 1, 2);  // all at once; every second; by turns
  std::atomic<int> wrong = 0;
  const int code = ampi::run_ranks_on_threads(ranks, ranks, [&](Rank& rank) {
    Communicator& world = rank.part<Communicators>().world();
    for (int round = 0; round < 60; ++round) {
      const std::size_t count = round % 3 == 0 ? 1 : round % 3 == 1 ? 40 : DirectExchange::kMostBytes / sizeof(int);
      std::vector<int> values = numbers(count, rank.number() + round);
      const bool is_direct = way == 0 || (way == 1 ? rank.number() % 2 == 0 : round % 2 == 0);
      add_up(rank, world, {values.data(), static_cast<MPI_Count>(count), Datatype::of(MPI_INT)}, is_direct);
      for (std::size_t i = 0; i < count; ++i)
        if (values[i] != ranks * (ranks - 1) / 2 + ranks * (round + static_cast<int>(i))) ++wrong;
    }
  });
  CHECK(code == 0);
  CHECK(wrong == 0);
}

TEST_CASE("nobody leaves a barrier of ranks that are alone on their PEs before all have come", "[ampi][ranks]") {
  const int ranks = GENERATE(2, 3, 5);
  std::atomic<int> inside = 0, early = 0;
  const int code = ampi::run_ranks_on_threads(ranks, ranks, [&](Rank& rank) {
    Communicator& world = rank.part<Communicators>().world();
    for (int round = 1; round <= 200; ++round) {
      ++inside;
      DirectExchange direct("barrier", rank, world, world.next_collective_tag());
      direct.barrier({world.rank(), world.size()});
      if (inside < ranks * round) ++early;
    }
  });
  CHECK(code == 0);
  CHECK(early == 0);
}

}  // namespace kaon::ampi

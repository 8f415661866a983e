// SPDX-License-Identifier: Apache-2.0
// turns: in which order the ranks of a PE run, and what each keeps while others do
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "kaon/ampi_shim/communicators/context.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "tests/ampi_shim/ranks/run_on_threads.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {

// More turns than the scheduler gives in a row.
TEST_CASE("ranks of one PE that yield take turns in the order in which they did", "[ampi][ranks]") {
  constexpr int kRanks = 5, kTurns = 100;
  std::vector<int> turns;
  const int code = run_ranks_on_threads(kRanks, 1, [&](Rank& rank) {
    for (int turn = 0; turn < kTurns; ++turn) {
      turns.push_back(rank.number());
      current_strand().yield();
    }
  });
  CHECK(code == 0);
  REQUIRE(turns.size() == kRanks * kTurns);
  int wrong = 0;
  for (std::size_t i = kRanks; i < turns.size(); ++i)
    if (turns[i] != turns[i - kRanks]) ++wrong;
  CHECK(wrong == 0);
}

TEST_CASE("a rank that goes on is the one that runs, with its own exception", "[ampi][ranks]") {
  constexpr int kRanks = 5;
  int wrong = 0;
  const int code = run_ranks_on_threads(kRanks, 1, [&](Rank& rank) {
    const std::string own = std::to_string(rank.number());
    try {
      try {
        throw std::runtime_error(own);
      } catch (...) {
        for (int turn = 0; turn <= rank.number(); ++turn) {
          current_strand().yield();
          if (&current_rank() != &rank || this_pe().root() != &rank) ++wrong;
        }
        throw;
      }
    } catch (const std::runtime_error& error) {
      if (error.what() != own) ++wrong;
    }
    if (std::current_exception() != nullptr) ++wrong;
  });
  CHECK(code == 0);
  CHECK(wrong == 0);
}

TEST_CASE("ranks that never stop yielding keep nothing from others", "[ampi][ranks]") {
  constexpr int kRanks = 4, kPes = 2, kMessages = 20;
  std::atomic<int> arrived = 0;
  const int code = run_ranks_on_threads(kRanks, kPes, [&](Rank& rank) {
    int number = 0;
    if (rank.number() == 0) {
      for (number = 0; number < kMessages; ++number)
        send(rank, {kWorldContext, kRanks - 1, 0, 0}, {&number, sizeof number, nullptr});
    } else if (rank.number() == kRanks - 1) {
      for (int i = 0; i < kMessages; ++i) {
        receive(rank, {kWorldContext, 0, 0}, {&number, sizeof number, nullptr}, nullptr);
        if (number == i) ++arrived;
      }
    } else {
      while (arrived < kMessages) current_strand().yield();
    }
  });
  CHECK(code == 0);
  CHECK(arrived == kMessages);
}

}  // namespace kaon::ampi

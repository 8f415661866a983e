// SPDX-License-Identifier: Apache-2.0
// threads: ranks of one PE that never stop yielding, beside those of another; and what ThreadSanitizer is told of
// stacks. In which order the ranks of a PE run, and what each keeps while others do.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "kaon/ampi_shim/communicators/context.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/chares/waits/waits.hpp"
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

namespace {

/// Looks, between turns of ranks, whose they seem to be.
struct Look final : Work {
  Look() {
    run = [](Work& self, Pe& pe) {
      auto& look = static_cast<Look&>(self);
      look.root = pe.root();
      look.has_run = true;
    };
  }
  Root* root = nullptr;
  bool has_run = false;
};

}  // namespace

TEST_CASE("what runs between the turns of ranks is none of theirs", "[ampi][ranks]") {
  constexpr int kRanks = 3;
  int wrong = 0, looks = 0;
  const int code = run_ranks_on_threads(kRanks, 1, [&](Rank& rank) {
    if (this_pe().root() != &rank) ++wrong;
    Look look;
    this_pe().enqueue(look);
    while (!look.has_run) current_strand().yield();
    if (look.root != nullptr) ++wrong;
    if (this_pe().root() != &rank) ++wrong;
    ++looks;
  });
  CHECK(code == 0);
  CHECK(looks == kRanks);
  CHECK(wrong == 0);
}

TEST_CASE("strands beside a rank's program end in any order", "[ampi][ranks]") {
  std::vector<int> order{1, 2, 3};
  int ended = 0, runs = 0;
  do {
    ++runs;
    const int code = run_ranks_on_threads(1, 1, [&](Rank& rank) {
      for (const int turns : order)
        rank.start_strand([&ended, turns] {
          for (int turn = 0; turn < turns; ++turn) current_strand().yield();
          ++ended;
        });
      for (int turn = 0; turn < 8; ++turn) current_strand().yield();
    });
    CHECK(code == 0);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(ended == 3 * runs);
}

TEST_CASE("a strand that has not ended goes with its rank", "[ampi][ranks]") {
  int begun = 0;
  CHECK(run_ranks_on_threads(1, 1, [&](Rank& rank) {
          for (int i = 0; i < 3; ++i)
            rank.start_strand([&begun] {
              ++begun;
              current_strand().wait(Sleep(this_pe(), std::chrono::hours(1)));
            });
          for (int turn = 0; turn < 4; ++turn) current_strand().yield();
        }) == 0);
  CHECK(begun == 3);
}

namespace {

/// Whether the system may read there for this process.
bool is_readable(const std::byte* address) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const bool is_read = syscall(SYS_write, ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return is_read;
}

}  // namespace

TEST_CASE("below a stack nobody may touch as much as it has itself", "[ampi][ranks]") {
  const std::size_t bytes = GENERATE(std::size_t{64} << 10, std::size_t{8} << 20, std::size_t{40} << 20);
  StackPool pool(bytes);
  const StackMemory stack = pool.take();
  CHECK(stack.bytes == bytes);
  CHECK(is_readable(stack.lowest));
  CHECK(is_readable(stack.highest() - 1));
  CHECK(pool.guard_bytes() >= std::max(bytes, std::size_t{16} << 20));
  for (const std::size_t below : {std::size_t{1}, std::size_t{4096}, bytes, pool.guard_bytes()})
    CHECK_FALSE(is_readable(stack.lowest - below));
  pool.give_back(stack);
}

}  // namespace kaon::ampi

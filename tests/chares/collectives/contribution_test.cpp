// SPDX-License-Identifier: Apache-2.0
// Reductions by contributions, with every operation, running ahead of one another, and with elements that move.
#include "kaon/chares/collectives/contribution.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::contributions {

struct Longest {  // a user's own operation
  std::string operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? (a.size() > b.size() ? a : b) : std::max(a, b);
  }
};

class Part : public Chare<Part> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(rounds_);
  }

  Task<bool> every_operation(int count) {
    const int x = index().x;
    const int added = co_await contribute(sum, x);
    const double multiplied = co_await contribute(product, x == 0 ? 3.0 : x == 1 ? 0.5 : 1.0);
    const int least = co_await contribute(min, x + 5);
    const int most = co_await contribute(max, x);
    const std::array<int, 2> pair = co_await contribute(sum, std::array<int, 2>{x, 1});
    const std::string longest = co_await contribute(Longest{}, std::string(static_cast<std::size_t>(x % 7), 'a'));
    co_return added == count*(count - 1) / 2 && multiplied == (count == 1 ? 3.0 : 1.5) && least == 5 &&
        most == count - 1 && pair == std::array<int, 2>{added, count} &&
        longest.size() == static_cast<std::size_t>(std::min(count - 1, 6));
  }

  /// Element 0 is always the slowest, so that others are a reduction ahead.
  Task<int> run_ahead(int rounds) {
    int right = 0;
    for (int round = 0; round < rounds; ++round) {
      if (index().x % 3 == round % 3) co_await this_runtime().sleep_for(std::chrono::microseconds(20));
      const int total = co_await contribute(sum, round + index().x);
      const int count = array().shape().x;
      right += total == count * round + count * (count - 1) / 2;
    }
    co_return right;
  }

  /// As if it had contributed so often.
  void skip(std::uint32_t reductions) {
    for (std::uint32_t i = 0; i < reductions; ++i) ElementAccess::take_reduction(*this);
  }

  /// Two entries of one element take part in two reductions at once.
  Task<std::int64_t> overlap() {
    const auto [a, b] = co_await all(contribute(sum, std::int64_t{1}), contribute(sum, std::int64_t{1000}));
    co_return a + b;
  }

  Task<int> give(int value) { co_return co_await contribute(sum, value); }
  Task<int> give_other_type() {
    if (index().x == 0) co_return static_cast<int>(co_await contribute(sum, 1.0));
    co_return co_await contribute(sum, 1);
  }
  /// Takes part without waiting for the outcome.
  Task<> give_and_go(int value) { co_await any(contribute(sum, value), ready_at_once()); }
  void move_to(PeId to) { migrate_to(to); }
  int rounds() { return rounds_; }

 private:
  static Task<int> ready_at_once() { co_return 0; }
  int rounds_ = 0;
};

/// Always has something to do.
class Poller : public Chare<Poller> {
 public:
  void poll() {
    if (is_polling) self().send<&Poller::poll>();
  }
  Task<int> give(int value) { co_return co_await contribute(sum, value); }
  static inline bool is_polling = false;
};

Task<> reduce_beside_work(Runtime& runtime) {
  const auto pollers = co_await runtime.create_group<Poller>();
  const int pes = static_cast<int>(runtime.pes());
  Poller::is_polling = true;
  pollers.broadcast<&Poller::poll>();
  for (int round = 0; round < 3; ++round) {
    const int least = co_await pollers.call_all<&Poller::give>(min, round);
    CHECK(least == round * pes);
  }
  Poller::is_polling = false;
}

/// Sees where the stack stands when its contributions have ended.
class Climber : public Chare<Climber> {
 public:
  Task<> contribute_often(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      co_await contribute(sum, 1);
      look_at_stack();
    }
  }
  static std::uintptr_t height() { return highest - lowest; }

 private:
  [[gnu::noinline]] static void look_at_stack() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    lowest = std::min(lowest, here);
    highest = std::max(highest, here);
  }
  static inline std::uintptr_t lowest = UINTPTR_MAX, highest = 0;
};

/// All live on PE 0.
template <int kCount>
Task<> contribute_often(Runtime& runtime) {
  const Proxy<Climber> climbers = co_await runtime.create<Climber>(kCount);
  co_await climbers.call_all_and_wait<&Climber::contribute_often>(2000);
}

Task<> use_every_operation(Runtime& runtime) {
  for (const int count : {1, 2, 31, 700}) {
    const auto parts = co_await runtime.create_mapped<Part>(count, count == 31 ? Map::round_robin : Map::block);
    const bool is_right = co_await parts.call_all<&Part::every_operation>(min, count);
    CHECK(is_right);
  }
}

Task<> use_run_ahead(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(13);
  const int right = co_await parts.call_all<&Part::run_ahead>(sum, 30);
  CHECK(right == 13 * 30);
}

Task<> use_overlap(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(10);
  const std::int64_t total = co_await parts.call_all<&Part::overlap>(min);
  CHECK(total == 10'010);
}

/// All but one have contributed when that one leaves its PE for another, which had all of its own.
Task<> move_before_giving(Runtime& runtime) {
  const int count = 4 * static_cast<int>(runtime.pes());
  const auto parts = co_await runtime.create<Part>(count);
  for (int mover = 0; mover < count; mover += 3) {
    for (int i = 0; i < count; ++i)
      if (i != mover) parts[i].send<&Part::give>(1);
    co_await runtime.quiescence();
    parts[mover].send<&Part::move_to>(static_cast<PeId>(mover) % runtime.pes());
    co_await runtime.quiescence();
    const int total = co_await parts[mover].call<&Part::give>(1);
    CHECK(total == count);
  }
}

/// An element contributes, does not wait, and moves to a PE whose other elements contribute later.
Task<> move_after_giving(Runtime& runtime) {
  const int count = 4 * static_cast<int>(runtime.pes());
  const auto parts = co_await runtime.create<Part>(count);
  for (int round = 0; round < 3; ++round) {
    const int mover = (5 * round + 1) % count;
    co_await parts[mover].call<&Part::give_and_go>(10);
    parts[mover].send<&Part::move_to>((static_cast<PeId>(round) + 2) % runtime.pes());
    co_await runtime.quiescence();
    int last = -1;
    for (int i = 0; i < count; ++i)
      if (i != mover) {
        if (last >= 0) parts[last].send<&Part::give>(1);
        last = i;
      }
    const int total = co_await parts[last].call<&Part::give>(1);
    CHECK(total == 10 + count - 1);
  }
}

/// Their numbers have 24 bits.
Task<> wrap_around(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(3);
  co_await parts.call_all_and_wait<&Part::skip>((1u << 24) - 4);
  for (int round = 0; round < 4; ++round) {
    const int right = co_await parts.call_all<&Part::run_ahead>(sum, 2);
    CHECK(right == 3 * 2);
    parts[round % 3].send<&Part::move_to>(static_cast<PeId>(round) % runtime.pes());
    co_await runtime.quiescence();
  }
}

Task<> contribute_differently(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(4);
  co_await parts.call_all<&Part::give_other_type>(sum);
}

Task<> leave_incomplete(Runtime& runtime) {
  const auto parts = co_await runtime.create<Part>(9);
  for (int i = 0; i < 8; ++i) parts[i].send<&Part::every_operation>(9);
  co_await runtime.quiescence();
}

TEST_CASE("every element gets the combination of all contributions", "[chares][contribution]") {
  run_everywhere(use_every_operation);
}
TEST_CASE("reductions run ahead of one another", "[chares][contribution]") { run_everywhere(use_run_ahead); }
TEST_CASE("an element takes part in two reductions at once", "[chares][contribution]") { run_everywhere(use_overlap); }
TEST_CASE("an element that moves before it contributes is waited for where it is", "[chares][contribution]") {
  run_everywhere(move_before_giving);
}
TEST_CASE("an element that moves after it contributed counts once", "[chares][contribution]") {
  run_everywhere(move_after_giving);
}
TEST_CASE("reductions go on when their numbers begin anew", "[chares][contribution]") { run_everywhere(wrap_around); }
TEST_CASE("a run may end with a reduction that lacks a contribution", "[chares][contribution]") {
  run_everywhere(leave_incomplete);
}
TEST_CASE("reductions are completed beside PEs that are never idle", "[chares][contribution]") {
  run_everywhere(reduce_beside_work);
}
TEST_CASE("the stack does not grow with the number of contributions", "[chares][contribution]") {
  constexpr std::uintptr_t kMost = 32 << 10;
  Scene({1, 1}).run(contribute_often<1>);
  Scene({1, 1}).run(contribute_often<4>);
  Scene({1, 3}).run(contribute_often<1>);
  CHECK(Climber::height() < kMost);
}
TEST_CASE("elements that contribute different things are told so", "[chares][contribution]") {
  CHECK(has(thrown<UsageError>([] {
              Scene({1, 1}).run(contribute_differently);
            }),
            "every element must call contribute() the same way"));
}

}  // namespace kaon::testing::contributions

// SPDX-License-Identifier: Apache-2.0
// threads: PEs of one process
// PEs as threads of one process, for ThreadSanitizer: messages and payloads that change hands, chares that move, PEs
// that sleep and are woken, and the end of a run in the middle of it all.
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/support/catch.hpp"

namespace kaon::testing::threads {

class Walker : public Chare<Walker> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(good_, kept);
  }
  Inbox<int> kept;

  void walk(std::vector<int> values, std::string text, int left) {
    good_ += values.size() == 100 && text.size() == 40;
    if (left > 0) next(left).send<&Walker::walk>(std::move(values), std::move(text), left - 1);
  }
  void carry(Payload<int> values, int left) {
    good_ += std::accumulate(values.view().begin(), values.view().end(), 0) == 999 * 500;
    if (left > 0) next(left).send<&Walker::carry>(std::move(values), left - 1);
  }
  void wander(int left) {
    ++good_;
    if (left == 0) return;
    next(left).send<&Walker::wander>(left - 1);
    next(left).send<&Walker::kept>(1);
    migrate_to((pe() + static_cast<PeId>(left)) % this_runtime().pes());
  }
  Task<bool> agree(int rounds) {
    bool is_right = true;
    for (int round = 0; round < rounds; ++round) {
      const int total = co_await contribute(sum, round);
      is_right = is_right && total == round * array().shape().x;
      if (round % 8 == 0) co_await this_runtime().sleep_for(std::chrono::microseconds(200));  // some PEs fall asleep
    }
    co_return is_right;
  }
  Task<int> ask(int calls) {
    int good = 0;
    for (int i = 0; i < calls; ++i) {
      const int answer = co_await next(i).call<&Walker::twice>(i);
      good += answer == 2 * i;
    }
    co_return good;
  }
  int twice(int value) { return 2 * value; }
  int good() const { return good_; }
  int number_kept() const { return static_cast<int>(kept.size()); }

 private:
  Element<Walker> next(int step) const { return array()[(index().x * 5 + step) % array().shape().x]; }
  int good_ = 0;
};

constexpr int kWalkers = 13;

constexpr int kGood = 7;  // not 0: the main task must have said so

int verdict(int came, int expected) { return came == expected ? kGood : 1; }

Task<int> walk(Runtime& runtime) {
  const auto walkers = co_await runtime.create_mapped<Walker>(kWalkers, Map::round_robin);
  walkers.broadcast<&Walker::walk>(std::vector<int>(100), std::string(40, 'a'), 100);
  co_await runtime.quiescence();
  const int good = co_await walkers.call_all<&Walker::good>(sum);
  co_return verdict(good, kWalkers * 101);
}

Task<int> carry(Runtime& runtime) {
  const auto walkers = co_await runtime.create<Walker>(kWalkers);
  for (int i = 0; i < kWalkers; ++i) {
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    if (i % 2 == 0)
      walkers[i].send<&Walker::carry>(Payload<int>(std::move(values)), 100);
    else
      walkers[i].send<&Walker::carry>(Payload<int>::copy_of(values), 100);
  }
  co_await runtime.quiescence();
  const int good = co_await walkers.call_all<&Walker::good>(sum);
  co_return verdict(good, kWalkers * 101);
}

Task<int> wander(Runtime& runtime) {
  const auto walkers = co_await runtime.create<Walker>(kWalkers);
  for (int i = 0; i < kWalkers; ++i) walkers[i].send<&Walker::wander>(60);
  co_await runtime.quiescence();
  const int good = co_await walkers.call_all<&Walker::good>(sum);
  const int kept = co_await walkers.call_all<&Walker::number_kept>(sum);
  co_return verdict(good + kept, kWalkers * (61 + 60));
}

Task<int> agree(Runtime& runtime) {
  const auto walkers = co_await runtime.create<Walker>(kWalkers);
  const bool is_right = co_await walkers.call_all<&Walker::agree>(min, 40);
  const int good = co_await walkers.call_all<&Walker::ask>(sum, 50);
  co_return is_right ? verdict(good, kWalkers * 50) : 1;
}

/// Its PE is busy with long entries, of which none is seen to be long before it has ended.
class Busy : public Chare<Busy> {
 public:
  void take() { has_come = true; }
  void send(Element<Busy> other) { other.send<&Busy::take>(); }
  void compute() { compute_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1)); }
  /// Until what was sent before has come, which nothing else on this PE can bring about.
  void await() {
    compute_until(std::chrono::steady_clock::now() + std::chrono::seconds(30));
    was_in_time = has_come.load();
  }

  using aggregated = Entries<&Busy::take>;
  static inline std::atomic<bool> has_come = false, was_in_time = false;

 private:
  static void compute_until(std::chrono::steady_clock::time_point end) {
    while (!has_come && std::chrono::steady_clock::now() < end) {
    }
  }
};

Task<int> aggregate_between_long_entries(Runtime& runtime) {
  Busy::has_come = Busy::was_in_time = false;
  const auto busy = co_await runtime.create_group<Busy>();
  busy[0].send<&Busy::send>(busy[1]);
  busy[0].send<&Busy::compute>();
  busy[0].send<&Busy::compute>();
  busy[0].send<&Busy::await>();
  co_await runtime.quiescence();
  co_return Busy::was_in_time ? kGood : 1;
}

/// Leaves while everything is under way.
Task<int> leave_early(Runtime& runtime) {
  const auto walkers = co_await runtime.create<Walker>(kWalkers);
  walkers.broadcast<&Walker::walk>(std::vector<int>(100), std::string(40, 'a'), 1'000'000);
  walkers.broadcast<&Walker::agree>(1'000'000);
  co_await runtime.sleep_for(std::chrono::milliseconds(5));
  co_return 3;
}

int run_with(const char* pes, MainTask main_task) {
  std::string name = "threads_test", option = "--pes", count = pes, free = "--no-pin";
  char* argv[] = {name.data(), option.data(), count.data(), free.data(), nullptr};
  return kaon::run(4, argv, std::move(main_task));
}

TEST_CASE("arguments cross threads", "[chares][threads]") {
  for (const char* pes : {"1", "2", "5"}) CHECK(run_with(pes, walk) == kGood);
}
TEST_CASE("payloads change hands", "[chares][threads]") {
  for (const char* pes : {"2", "5"}) CHECK(run_with(pes, carry) == kGood);
}
TEST_CASE("chares move between threads", "[chares][threads]") {
  for (const char* pes : {"2", "5"}) CHECK(run_with(pes, wander) == kGood);
}
TEST_CASE("reductions, calls and sleeping PEs", "[chares][threads]") {
  for (const char* pes : {"2", "5"}) CHECK(run_with(pes, agree) == kGood);
}
TEST_CASE("aggregated messages leave a PE that is never idle when a long entry has ended", "[chares][threads]") {
  CHECK(run_with("2", aggregate_between_long_entries) == kGood);
}
TEST_CASE("a run ends while messages are under way", "[chares][threads]") {
  for (const char* pes : {"1", "4"}) CHECK(run_with(pes, leave_early) == 3);
}

}  // namespace kaon::testing::threads

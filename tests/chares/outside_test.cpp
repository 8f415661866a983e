// SPDX-License-Identifier: Apache-2.0
// threads: of the program's own, which post to PEs
// Functions and tasks that threads of the program's own give to PEs: while these sleep, wait and come to quiescence.
#include <chrono>
#include <future>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "kaon/testing/scene.hpp"
#include "tests/chares/run_with.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::outside {

class Tally : public Chare<Tally> {
 public:
  void add(int amount) { total_ += amount; }
  int total() const { return total_; }

 private:
  int total_ = 0;
};

/// Ways into all PEs of this process.
class Doors {
 public:
  void add(Outside door) {
    const std::lock_guard lock(mutex_);
    doors_.push_back(std::move(door));
  }
  std::vector<Outside> all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(doors_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Outside> doors_;
} doors;

class Door : public Chare<Door> {
 public:
  void open() { doors.add(this_runtime().outside()); }
};

void join(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

Task<int> many_post(Runtime& runtime) {
  constexpr int kThreads = 8, kPosts = 300;
  const auto sums = co_await runtime.create<Tally>(5);
  const auto opened = co_await runtime.create_group<Door>();
  co_await opened.call_all_and_wait<&Door::open>();
  std::vector<std::thread> threads;
  const std::vector<Outside> all = doors.all();
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back([all, sums, number] {
      for (int i = 0; i < kPosts; ++i)
        all[static_cast<std::size_t>(number + i) % all.size()].post([sums, i] { sums[i % 5].send<&Tally::add>(1); });
    });
  co_await on_helper_thread([&threads] { join(threads); });
  co_await runtime.quiescence();
  const int total = co_await sums.call_all<&Tally::total>(sum);
  co_return good_if(total == kThreads * kPosts && all.size() == runtime.pes());
}

/// What is posted before quiescence is awaited has run by then, with what it has sent, although nobody waits for it.
Task<int> quiet_after_posts(Runtime& runtime) {
  const auto sums = co_await runtime.create<Tally>(5);
  bool is_right = true;
  for (int round = 1; round <= 20; ++round) {
    std::thread([sums, door = runtime.outside()] {
      for (int i = 0; i < 50; ++i)
        door.post([sums, i](Runtime&) -> Task<> {
          co_await this_runtime().sleep_for(std::chrono::microseconds(1));
          sums[i % 5].send<&Tally::add>(1);
        });
    }).join();
    co_await runtime.quiescence();
    const int total = co_await sums.call_all<&Tally::total>(sum);
    is_right = is_right && total == 50 * round;
  }
  co_return good_if(is_right);
}

/// The PE has nothing to do between two calls, and falls asleep.
Task<int> wake_by_calls(Runtime& runtime) {
  const Outside door = runtime.outside();
  const auto ask = [door] {
    bool is_right = true;
    for (int i = 0; i < 500; ++i) is_right = door.call([i] { return 2 * i; }).get() == 2 * i && is_right;
    return is_right;
  };
  const bool is_right = co_await on_helper_thread(ask);
  co_return good_if(is_right && this_pe().parker().missed_wakeups() == 0);
}

Task<int> post_in_order(Runtime& runtime) {
  const Outside door = runtime.outside();
  const auto post = [door] {
    std::vector<int> seen;
    for (int i = 0; i < 1000; ++i) door.post([&seen, i] { seen.push_back(i); });
    return door.call([&seen] { return seen; }).get();
  };
  const auto seen = co_await on_helper_thread(post);
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  co_return good_if(seen == expected);
}

template <class F>
bool future_throws(const Outside& door, const F& function, const std::string& text) {
  try {
    door.call(function).get();
  } catch (const std::runtime_error& error) {
    return error.what() == text;
  }
  return false;
}

Task<int> values_and_errors(Runtime& runtime) {
  const auto sums = co_await runtime.create<Tally>(5);
  sums.broadcast<&Tally::add>(2);
  co_await runtime.quiescence();
  const Outside door = runtime.outside();
  const auto ask = [door, sums] {
    const std::string captured(100, 'c');
    auto total = door.call([sums, captured](Runtime&) -> Task<int> {
      const int total = co_await sums.call_all<&Tally::total>(sum);
      co_return total + static_cast<int>(captured.size());
    });
    door.call([] {}).get();
    door.call([]() -> Task<> { co_return; }).get();
    const auto fails = []() -> int { throw std::runtime_error("a function"); };
    const auto fails_later = [sums](Runtime&) -> Task<int> {
      co_await sums[3].call<&Tally::total>();
      throw std::runtime_error("a task");
    };
    return total.get() == 110 && future_throws(door, fails, "a function") && future_throws(door, fails_later, "a task");
  };
  const bool is_right = co_await on_helper_thread(ask);
  co_return good_if(is_right);
}

TEST_CASE("many threads post to all PEs at once", "[chares][outside]") { check_with_pes({"1", "2", "4"}, many_post); }

TEST_CASE("quiescence waits for what was posted before", "[chares][outside]") {
  check_with_pes({"1", "3"}, quiet_after_posts);
}

TEST_CASE("a call from outside wakes a PE that sleeps", "[chares][outside]") {
  check_with_pes({"1", "2"}, wake_by_calls, {"--spin-us", "0"});
}

TEST_CASE("what one thread posts runs in its order", "[chares][outside]") { check_with_pes({"2"}, post_in_order); }

TEST_CASE("values and exceptions of functions and tasks reach the thread", "[chares][outside]") {
  check_with_pes({"1", "2"}, values_and_errors);
}

TEST_CASE("misuse of an Outside says what to do", "[chares][outside]") {
  CHECK(has(thrown<UsageError>([] { Outside().post([] {}); }), "runtime.outside() gives one"));
  CHECK(has(thrown<UsageError>([] { kaon::Proxy<Tally>(1, 2)[0].send<&Tally::add>(1); }), "runtime.outside()"));
  Scene scene({1, 1});
  CHECK(has(thrown<UsageError>([&] {
              scene.run([](Runtime& runtime) -> Task<> {
                runtime.outside().call([] { return 1; }).get();
                co_return;
              });
            }),
            "await the task itself"));
}

TEST_CASE("what a posted function or task throws ends the run", "[chares][outside]") {
  for (const bool is_task : {false, true}) {
    Scene scene({1, 2});
    const auto post = [is_task](Runtime& runtime) -> Task<> {
      if (is_task)
        runtime.outside().post([]() -> Task<> {
          co_await this_runtime().sleep_for(std::chrono::seconds(1));
          throw std::runtime_error("thrown outside");
        });
      else
        runtime.outside().post([] { throw std::runtime_error("thrown outside"); });
      co_await runtime.quiescence();
    };
    CHECK_THROWS_WITH(scene.run(post), "thrown outside");
  }
}

}  // namespace kaon::testing::outside

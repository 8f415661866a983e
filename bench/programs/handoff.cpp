// SPDX-License-Identifier: Apache-2.0
// What two threads of this machine cost each other, without a runtime: a word passed to and fro between two cores,
// which also tells whether these are near each other just now, buffers that both modify in turns, and the time to wake
// a thread by an eventfd, and by a word that it waits for.
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "bench/programs/measurement.hpp"
#include "bench/programs/modify.hpp"
#include "kaon/runtime/base/ticks.hpp"

namespace {

using kaon::bench::Clock;

constexpr int kEnd = -1;
constexpr int kSpins = 2000;  // some microseconds
constexpr int kWindow = 200;  // round trips

struct alignas(128) Word {
  std::atomic<int> value{0};  // the number of the round trip; kEnd: there are no more
};

// Moves the calling thread to the first or second core that the program may use. A thread begins where its creator is.
void pin(std::size_t which) {
  static const std::vector<int> cores = [] {
    cpu_set_t allowed;
    std::vector<int> found;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return found;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
    return found;
  }();
  if (cores.size() < 2) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cores[which], &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

// Spins long enough for two cores of their own; gives way when the other thread has none.
int wait_for_change(const Word& word, int old) {
  for (int i = 0;; ++i) {
    const int value = word.value.load(std::memory_order_acquire);  // what came before the word is there too
    if (value != old) return value;
    if (i > kSpins) std::this_thread::yield();
  }
}

double ping(Word& to, const Word& back, int first, int round_trips) {
  const auto start = Clock::now();
  for (int i = first; i < first + round_trips; ++i) {
    to.value.store(i, std::memory_order_release);
    wait_for_change(back, i - 1);
  }
  return kaon::bench::seconds_between(start, Clock::now());
}

// In short windows: the best of them tells where the cores are, even when other programs disturb some of them.
void measure_words(double milliseconds) {
  Word to, back;
  std::thread other([&] {
    pin(1);
    for (int last = 0; (last = wait_for_change(to, last)) != kEnd;) back.value.store(last, std::memory_order_release);
  });
  std::vector<double> times;
  int first = 1;
  for (const auto start = Clock::now(); kaon::bench::seconds_between(start, Clock::now()) < milliseconds / 1e3;) {
    times.push_back(ping(to, back, first, kWindow) * 1e6 / (2.0 * kWindow));
    first += kWindow;
  }
  to.value.store(kEnd, std::memory_order_release);
  other.join();
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  kaon::bench::print_measurement("word", sum / static_cast<double>(times.size()), "us");
  kaon::bench::print_measurement("word at best", *std::min_element(times.begin(), times.end()), "us");
}

// A buffer that belongs to one thread after the other, and how often it changed hands.
struct Ball {
  explicit Ball(std::size_t bytes) : words(bytes / sizeof(std::uint64_t)) {}
  std::vector<std::uint64_t> words;
  Word throws_made;
};

// The balls whose even throws are `thread`'s, until each has made `throws`.
void play(std::vector<std::unique_ptr<Ball>>& balls, int thread, int throws) {
  int idle_turns = 0;
  for (std::size_t left = balls.size(); left > 0;) {
    left = 0;
    if (++idle_turns > kSpins) std::this_thread::yield();
    for (const auto& ball : balls) {
      const int made = ball->throws_made.value.load(std::memory_order_acquire);
      if (made < throws) ++left;
      if (made >= throws || made % 2 != thread) continue;
      idle_turns = 0;
      kaon_bench_modify(ball->words.data(), ball->words.size());
      ball->throws_made.value.store(made + 1, std::memory_order_release);
    }
  }
}

double seconds_of_a_throw(std::size_t bytes, int count, double milliseconds) {
  int throws = 4;
  double seconds = 0;
  for (int round = 0; round < 3; ++round) {  // the first two are warm-up and better estimates
    std::vector<std::unique_ptr<Ball>> balls;
    for (int i = 0; i < count; ++i) balls.push_back(std::make_unique<Ball>(bytes));
    for (int i = count / 2; i < count; ++i) balls[static_cast<std::size_t>(i)]->throws_made.value = count > 1 ? 1 : 0;
    std::thread other([&] {
      pin(1);
      play(balls, 1, throws);
    });
    const auto start = Clock::now();
    play(balls, 0, throws);
    other.join();
    seconds = kaon::bench::seconds_between(start, Clock::now()) / throws;
    throws = kaon::bench::repetitions_for(milliseconds / 1e3, throws, seconds * throws, 1'000'000) / 2 * 2 + 2;
  }
  return seconds;
}

void measure_balls(std::size_t bytes, int window, double milliseconds) {
  const std::string name = "handed on " + kaon::bench::size_name(bytes);
  kaon::bench::print_measurement("one ball " + name, 1e6 * seconds_of_a_throw(bytes, 1, milliseconds), "us");
  const double rate = 2e-9 * static_cast<double>(bytes) * window / seconds_of_a_throw(bytes, 2 * window, milliseconds);
  kaon::bench::print_measurement("both ways " + name, rate, "GB/s");
}

std::int64_t now_ns() { return Clock::now().time_since_epoch().count(); }

// A thread sleeps, and another wakes it, by an eventfd.
class Descriptor {
 public:
  Descriptor() : fd_(eventfd(0, EFD_NONBLOCK)) {}
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  // When the sleeper goes on.
  std::int64_t sleep() {
    pollfd wait{fd_, POLLIN, 0};
    poll(&wait, 1, -1);
    const std::int64_t now = now_ns();
    std::uint64_t count = 0;
    if (read(fd_, &count, sizeof count) < 0) std::perror("eventfd");
    return now;
  }
  void wake() {
    const std::uint64_t one = 1;
    if (write(fd_, &one, sizeof one) < 0) std::perror("eventfd");
  }

 private:
  int fd_;
};

// As Descriptor, by a word of memory: the least that the system offers.
class WordToWaitFor {
 public:
  std::int64_t sleep() {
    while (word_.load(std::memory_order_acquire) == 0) call(FUTEX_WAIT_PRIVATE, 0);
    const std::int64_t now = now_ns();
    word_.store(0, std::memory_order_relaxed);
    return now;
  }
  void wake() {
    word_.store(1, std::memory_order_release);
    call(FUTEX_WAKE_PRIVATE, 1);
  }

 private:
  void call(int operation, int value) { syscall(SYS_futex, &word_, operation, value, nullptr, nullptr, 0); }
  std::atomic<std::uint32_t> word_{0};
};

// Microseconds from each call that wakes to where the sleeper goes on.
template <class Bed>
std::vector<double> wake_times(int repetitions) {
  Bed bed;
  std::atomic<std::int64_t> seen_at{0};  // 0: not yet
  std::thread sleeper([&] {
    pin(1);
    for (int i = 0; i < repetitions; ++i) seen_at.store(bed.sleep(), std::memory_order_release);
  });
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));  // the other one falls asleep
    const std::int64_t sent_at = now_ns();
    bed.wake();
    while (seen_at.load(std::memory_order_acquire) == 0) kaon::runtime::relax();
    times.push_back(static_cast<double>(seen_at.exchange(0) - sent_at) / 1e3);
  }
  sleeper.join();
  return times;
}

template <class Bed>
void measure_wake_up(const char* name, int repetitions) {
  std::vector<double> times = wake_times<Bed>(repetitions);
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  kaon::bench::print_measurement(name, times[static_cast<std::size_t>(repetitions) / 2], "us");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Two plain threads: a word passed between two cores, and a thread woken by an eventfd");
  double milliseconds = 40;
  int wake_ups = 50, window = 8;
  std::vector<std::size_t> balls;
  app.add_option("--milliseconds", milliseconds, "of the word; 0: none")->check(CLI::Range(0.0, 1e5));
  app.add_option("--wake-ups", wake_ups, "0: none")->check(CLI::Range(0, 100'000));
  app.add_option("--balls", balls, "bytes of buffers that both threads modify in turns, instead of the rest")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{8}, std::size_t{1} << 30));
  app.add_option("--window", window, "balls of each thread")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  pin(0);
  for (const std::size_t bytes : balls) measure_balls(bytes, window, milliseconds);
  if (!balls.empty()) return 0;
  if (milliseconds > 0) measure_words(milliseconds);
  if (wake_ups == 0) return 0;
  measure_wake_up<Descriptor>("wake-up", wake_ups);
  measure_wake_up<WordToWaitFor>("wake-up by a word", wake_ups);
}

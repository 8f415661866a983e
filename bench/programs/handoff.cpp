// SPDX-License-Identifier: Apache-2.0
// What two threads of this machine cost each other, without a runtime: a word passed to and fro between two cores, which
// also tells whether they are near each other just now, and the time to wake a thread by an eventfd.
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "bench/programs/measurement.hpp"
#include "runtime/ticks.hpp"

namespace {

using kaon::bench::Clock;

constexpr int kEnd = -1;
constexpr int kSpins = 2000;     // some microseconds
constexpr int kFirstTry = 1000;  // round trips

struct alignas(128) Word {
  std::atomic<int> value{0};  // the number of the round trip; kEnd: there are no more
};

void pin(int which) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || which-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    return;
  }
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

void measure_words(double milliseconds) {
  Word to, back;
  std::thread other([&] {
    pin(1);
    for (int last = 0; (last = wait_for_change(to, last)) != kEnd;) back.value.store(last, std::memory_order_release);
  });
  double seconds = ping(to, back, 1, kFirstTry);
  const int round_trips = kaon::bench::repetitions_for(milliseconds / 1e3, kFirstTry, seconds);
  seconds = ping(to, back, 1 + kFirstTry, round_trips);
  to.value.store(kEnd, std::memory_order_release);
  other.join();
  kaon::bench::print_measurement("word", seconds * 1e6 / (2.0 * round_trips), "us");
}

std::int64_t now_ns() { return Clock::now().time_since_epoch().count(); }

// Microseconds from each write to the reader's return from poll().
std::vector<double> wake_times(int repetitions) {
  const int fd = eventfd(0, EFD_NONBLOCK);
  std::atomic<std::int64_t> sent_at{0}, seen_at{0};  // 0: not yet
  std::thread sleeper([&] {
    pin(1);
    for (int i = 0; i < repetitions; ++i) {
      pollfd wait{fd, POLLIN, 0};
      poll(&wait, 1, -1);
      seen_at.store(now_ns(), std::memory_order_release);
      std::uint64_t count = 0;
      if (read(fd, &count, sizeof count) < 0) std::perror("eventfd");
      while (sent_at.load(std::memory_order_acquire) != 0) std::this_thread::yield();
    }
  });
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));  // the other one falls asleep
    sent_at.store(now_ns(), std::memory_order_release);
    const std::uint64_t one = 1;
    if (write(fd, &one, sizeof one) < 0) std::perror("eventfd");
    while (seen_at.load(std::memory_order_acquire) == 0) kaon::relax();
    times.push_back(static_cast<double>(seen_at.exchange(0) - sent_at.exchange(0)) / 1e3);
  }
  sleeper.join();
  close(fd);
  return times;
}

void measure_wake_up(int repetitions) {
  std::vector<double> times = wake_times(repetitions);
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  kaon::bench::print_measurement("wake-up", times[static_cast<std::size_t>(repetitions) / 2], "us");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Two plain threads: a word passed between two cores, and a thread woken by an eventfd");
  double milliseconds = 40;
  int wake_ups = 50;
  app.add_option("--milliseconds", milliseconds, "of the word; 0: none")->check(CLI::Range(0.0, 1e5));
  app.add_option("--wake-ups", wake_ups, "0: none")->check(CLI::Range(0, 100'000));
  CLI11_PARSE(app, argc, argv);
  pin(0);
  if (milliseconds > 0) measure_words(milliseconds);
  if (wake_ups > 0) measure_wake_up(wake_ups);
}

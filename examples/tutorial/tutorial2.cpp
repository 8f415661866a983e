// SPDX-License-Identifier: Apache-2.0
// Step 2 of docs/tutorial.md: an array of chares counts the primes below a million.
#include <cstdio>

#include <kaon/kaon.hpp>

class Counter : public kaon::Chare<Counter> {
 public:
  void count(int begin, int end) {
    for (int n = begin; n < end; ++n) primes_ += is_prime(n) ? 1 : 0;
  }
  int primes() const { return primes_; }

 private:
  static bool is_prime(int n) {
    for (int divisor = 2; divisor * divisor <= n; ++divisor)
      if (n % divisor == 0) return false;
    return n > 1;
  }

  int primes_ = 0;
};

kaon::Task<int> count_primes(kaon::Runtime& runtime) {
  constexpr int kCounters = 100, kEach = 10'000;
  const auto counters = co_await runtime.create<Counter>(kCounters);
  for (int i = 0; i < kCounters; ++i) counters[i].send<&Counter::count>(i * kEach, (i + 1) * kEach);
  co_await runtime.quiescence();  // until no message is under way and no entry runs
  const int primes = co_await counters.call_all<&Counter::primes>(kaon::sum);
  std::printf("%d primes below %d\n", primes, kCounters * kEach);
  co_return primes == 78'498 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, count_primes); }

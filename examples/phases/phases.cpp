// SPDX-License-Identifier: Apache-2.0
// A program that is not Kaon's but uses it: main() decides, between runs of a session, whether to go on. Chares sum
// up the series of pi / 4, as many terms more in each run, until the sum changes little.
#include <cmath>
#include <cstdio>
#include <exception>

#include <kaon/kaon.hpp>

class Series : public kaon::Chare<Series> {
 public:
  /// Of the terms of which it has every n-th, of n elements, so many more.
  double add(long terms) {
    const long step = array().shape().x;
    for (; terms > 0; --terms, next_ += step)
      sum_ += (next_ % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(2 * next_ + 1);
    return sum_;
  }

 private:
  long next_ = index().x;
  double sum_ = 0;
};

class Pi {
 public:
  void start() {
    session_.run([this](kaon::Runtime& runtime) { return make(runtime); });
  }
  /// Of all terms until now, and so many more of each chare. In process 0.
  double refine(long terms) {
    session_.run([this, terms](kaon::Runtime&) { return add(terms); });
    return 4 * sum_;
  }
  int process() const { return session_.process(); }
  void serve() { session_.serve(); }

 private:
  kaon::Task<int> make(kaon::Runtime& runtime) {
    series_ = co_await runtime.create<Series>(8);
    co_return 0;
  }
  kaon::Task<int> add(long terms) {
    sum_ = co_await series_.call_all<&Series::add>(kaon::sum, terms);
    co_return 0;
  }

  kaon::Session session_;
  kaon::Proxy<Series> series_;
  double sum_ = 0;
};

int main() {
  try {
    Pi pi;
    if (pi.process() > 0) return pi.serve(), 0;  // the other processes of kaonrun's
    pi.start();
    double before = 0, now = pi.refine(1000);
    for (; std::abs(now - before) > 1e-6; before = now, now = pi.refine(20'000)) std::printf("%.7f\n", now);
    return std::abs(now - M_PI) < 1e-5 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "phases: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: Apache-2.0
// The sum of the first ten squares, one chare for each, in a project that uses an installed Kaon.
#include <cstdio>

#include <kaon/kaon.hpp>

class Number : public kaon::Chare<Number> {
 public:
  int square(int offset) { return (index().x + offset) * (index().x + offset); }
};

kaon::Task<int> sum_of_squares(kaon::Runtime& runtime) {
  auto numbers = co_await runtime.create<Number>(10);
  const int sum = co_await numbers.call_all<&Number::square>(kaon::sum, 0);
  std::printf("%d is the sum of the squares of 0 to 9\n", sum);
  co_return sum == 285 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, sum_of_squares); }

// SPDX-License-Identifier: Apache-2.0
// processes: 1 2 3
// A program that wants to be told of wrong floating-point operations: the traps are on in all its threads from before
// Kaon starts, and no message of any size, nor a connection, springs one.
#include <cfenv>
#include <cstdio>
#include <numeric>
#include <vector>

#include <kaon/kaon.hpp>

namespace traps {

constexpr int kTraps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW;

class Trapping : public kaon::Chare<Trapping> {
 public:
  int traps() const { return fegetexcept(); }
  double sum(const std::vector<double>& values) const { return std::accumulate(values.begin(), values.end(), 0.0); }
};

kaon::Task<int> check_all(kaon::Runtime& runtime) {
  const auto all = co_await runtime.create_group<Trapping>();
  int wrong = 0;
  for (int pe = 0; pe < static_cast<int>(runtime.pes()); ++pe) {
    for (const std::size_t count : {0UL, 1UL, 1000UL, 10'000UL, 1'000'000UL})
      wrong += co_await all[pe].call<&Trapping::sum>(std::vector<double>(count, 0.5)) != 0.5 * double(count);
    wrong += co_await all[pe].call<&Trapping::traps>() != kTraps;
  }
  if (wrong != 0) std::printf("%d results are wrong, or traps are off\n", wrong);
  co_return wrong;
}

}  // namespace traps

int main(int argc, char** argv) {
  feenableexcept(traps::kTraps);
  return kaon::run(argc, argv, traps::check_all);
}

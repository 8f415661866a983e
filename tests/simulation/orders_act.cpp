// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <map>
#include <vector>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {

/// Numbers what it says to each other one, and sees whether what they say comes in order; grains travel together.
class Teller : public Chare<Teller> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(told_, heard_, grains_);
  }

  /// A seed says to whom and how often; then goes on elsewhere, perhaps.
  void tell(std::uint64_t seed, int rounds, int all) {
    Random random(seed);
    for (int i = random.between(1, 6); i > 0; --i) {
      const int to = random.below(all);
      array()[to].send<&Teller::hear>(index().x, told_[to]++, stage().ledger.expect("a word in order"));
      if (random.chance(50)) array()[random.below(all)].send<&Teller::take_grain>(stage().ledger.expect("a grain"));
    }
    if (random.chance(40)) migrate_to(stage().any_pe(random));
    if (rounds > 0) self().send<&Teller::tell>(random.next(), rounds - 1, all);
  }
  void hear(int from, int number, Ledger::Id id) {
    stage().ledger.arrive(id);
    require(number == heard_[from]++, "a word came out of order");
    if (number % 7 == 3) migrate_to((pe() + 1) % stage().pes);
  }
  void take_grain(Ledger::Id id) {
    stage().ledger.arrive(id);
    ++grains_;
  }

  using ordered = Entries<&Teller::hear>;
  using aggregated = Entries<&Teller::take_grain>;

 private:
  std::map<int, int> told_, heard_;
  int grains_ = 0;
};

namespace acts {

Task<> count_in_order(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const int count = random.between(1, 6);
  Proxy<Teller> tellers;
  if (random.chance(50)) {
    tellers = co_await runtime.create<Teller>(count);
  } else {
    tellers = co_await runtime.create_sparse<Teller>();
    for (int i = 0; i < count; ++i) tellers[i].insert_on(stage().any_pe(random));
  }
  for (int i = 0; i < count; ++i) tellers[i].send<&Teller::tell>(random.next(), random.between(0, 6), count);
  co_await runtime.quiescence();
  co_await tellers.destroy_and_wait();
}

}  // namespace acts
}  // namespace kaon::testing::simulation

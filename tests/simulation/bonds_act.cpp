// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/bonds_act.hpp"

#include <chrono>
#include <utility>

#include "tests/simulation/activities.hpp"

namespace kaon::testing::simulation {

using std::chrono::microseconds;

void Horse::take(const Letter& letter) {
  stage().ledger.arrive(letter.id);
  require(riders_[index()].local() != nullptr, "a horse is without its rider");
  act(letter);
}

Task<> Horse::take_slowly(Letter letter) {
  const Running running;
  co_await this_runtime().sleep_for(microseconds(letter.seed % 100));
  take(letter);
}

void Horse::act(const Letter& letter) {
  Random random(letter.seed);
  if (random.chance(40)) migrate_to(stage().any_pe(random));
  if (letter.hops == 0) return;
  const Letter next = stage().letter("a letter to a rider", random, letter.hops - 1);
  if (random.chance(30))
    riders_[index()].send<&Rider::ride>(random.below(3), next);
  else
    riders_[index()].send<&Rider::take>(next);
}

void Rider::require_horse() const { require(horses_[index()].local() != nullptr, "a rider is without its horse"); }

void Rider::take(const Letter& letter) {
  stage().ledger.arrive(letter.id);
  if (has_horse_) require_horse();
  act(letter);
}

Task<> Rider::take_slowly(Letter letter) {
  const Running running;
  co_await this_runtime().sleep_for(microseconds(letter.seed % 100));
  take(letter);
}

Task<> Rider::ride(int stops, Letter letter) {
  if (std::exchange(is_on_a_way_, true)) return take_slowly(letter);
  return ride_on(stops, letter);
}

Task<> Rider::ride_on(int stops, Letter letter) {
  const Running running;
  for (; stops > 0; --stops) {
    migrate_to((pe() + 1) % stage().pes);
    co_await at_rest<&Rider::ride_on>(stops - 1, letter);
  }
  is_on_a_way_ = false;
  take(letter);
}

void Rider::act(const Letter& letter) {
  Random random(letter.seed);
  if (random.chance(40)) migrate_to(stage().any_pe(random));
  if (letter.hops == 0) return;
  const Element<Rider> other(array().id(), self().number());
  const Letter next = stage().letter("a letter to horse or rider", random, letter.hops - 1);
  if (has_horse_ && random.chance(30))
    horses_[index()].send<&Horse::take>(next);
  else if (has_horse_ && random.chance(30))
    horses_[index()].send<&Horse::take_slowly>(next);
  else if (random.chance(30))
    other.send<&Rider::take_slowly>(next);
  else
    other.send<&Rider::take>(next);
}

namespace acts {
namespace {

Task<Proxy<Horse>> make_horses(Runtime& runtime, int count, Random& random) {
  if (random.chance(50)) co_return co_await runtime.create<Horse>(count);
  const auto horses = co_await runtime.create_sparse<Horse>();
  for (int i = 0; i < count; ++i) co_await horses[i].insert_on_and_wait(stage().any_pe(random));
  co_return horses;
}

}  // namespace

Task<> live_together(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const int count = random.between(1, 6);
  const auto horses = co_await make_horses(runtime, count, random);
  const auto riders = co_await runtime.create_bound<Rider>(horses, horses);
  co_await horses.call_all_and_wait<&Horse::know>(riders);
  const bool lose_horses = random.chance(30);
  if (lose_horses) co_await riders.call_all_and_wait<&Rider::dismount>();
  for (int i = random.between(1, 8); i > 0; --i) {
    const Letter letter = stage().letter("a letter to a rider", random, 4);
    if (lose_horses || random.chance(50))
      riders[random.below(count)].send<&Rider::take>(letter);
    else
      horses[random.below(count)].send<&Horse::take>(letter);
    if (random.chance(20)) co_await runtime.sleep_for(microseconds(random.below(60)));
    if (lose_horses && random.chance(20)) break;
  }
  if (random.chance(40)) static_cast<void>(co_await runtime.rebalance(horses, Strategy(strategies::rotate)));
  if (lose_horses) co_await horses.destroy_and_wait();
  co_await runtime.quiescence();
  if (!lose_horses) co_await horses.destroy_and_wait();
  co_await riders.destroy_and_wait();
}

}  // namespace acts
}  // namespace kaon::testing::simulation

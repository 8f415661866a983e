// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/own_acts.hpp"

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {

using std::chrono::microseconds;

namespace {

void make_sprout(Random& random, int hops) {
  Runtime runtime = this_runtime();
  const Letter letter = stage().letter("a letter to a single chare", random, hops);
  Element<Sprout> sprout;
  if (random.chance(40))
    sprout = runtime.make<Sprout>(letter);
  else if (random.chance(50))
    sprout = runtime.make_on<Sprout>(stage().any_pe(random), letter);
  else
    sprout = runtime.make_with_priority<Sprout>(random.between(-2, 2), letter);
  const Letter last = stage().letter("the last letter to it", random, 0);
  if (random.chance(30))
    sprout.send<&Sprout::go_and_end>(stage().any_pe(random), last);
  else
    sprout.send<&Sprout::take_and_end>(last);
}

}  // namespace

Sprout::Sprout(const Letter& letter) : seed_(letter.seed) {
  stage().ledger.arrive(letter.id);
  Random random(letter.seed);
  if (letter.hops > 0)
    for (int i = random.below(4); i > 0; --i) make_sprout(random, letter.hops - 1);
  if (random.chance(20)) migrate_to(stage().any_pe(random));
}

Citizen::Citizen(std::uint64_t census, int step) : number_(census), step_(step) {
  begin();
  self().send<&Citizen::live>();
}

void Citizen::have_child(Random& random) {
  if (census_->next_index < kMost) array()[census_->next_index++].insert_on(stage().any_pe(random), number_, step_);
}

Task<> Citizen::live() {
  Random random(census_->seed + static_cast<std::uint64_t>(index().x * 100 + step_));
  if (random.chance(25)) have_child(random);
  Census& census = *census_;
  const int step = step_;
  ++census.steps[step].contributed;
  const int total = co_await contribute(sum, 1);
  Census::Step& result = census.steps[step];
  require(result.heard == 0 || result.total == total, "two elements heard different results of one reduction");
  result.total = total;
  ++result.heard;
  step_ = step + 1;
  if (step_ == kSteps || (index().x != 0 && random.chance(25))) {
    destroy();
    co_return;
  }
  if (random.chance(40)) migrate_to(stage().any_pe(random));
  self().send<&Citizen::live>();
}

Task<int> Walker::walk() {
  const int count = array().shape().x;
  while (step_ < steps_) {
    array()[(index().x + 1) % count].send<&Walker::words>(step_ + 1);
    sum_ += co_await words.next();
    ++step_;
    co_await rebalance<&Walker::walk>();
  }
  co_return sum_;
}

Mortal::Mortal(std::uint64_t number, std::uint64_t seed, int failing, const Unsteady&) : Mortal(number) {
  play(seed + static_cast<std::uint64_t>(index().x), 4);
  if (index().x == failing) throw std::domain_error("it cannot be made");
}

Element<Mortal> Mortal::anyone(Random& random) const { return array()[random.below(8)]; }

void Mortal::play(std::uint64_t seed, int hops) {
  Random random(seed);
  for (int i = hops > 0 ? random.below(3) : 0; i > 0; --i) {
    const auto what = random.below(6);
    if (what == 0) anyone(random).send<&Mortal::ask>(random.next(), hops - 1);
    if (what == 1) anyone(random).send<&Mortal::carry>(Payload<int>(std::vector<int>(random.below(3000u))));
    if (what == 2) array().broadcast<&Mortal::play>(random.next(), hops / 3);
    if (what > 2) anyone(random).send<&Mortal::play>(random.next(), hops - 1);
  }
  if (random.chance(25)) migrate_to(stage().any_pe(random));
  if (random.chance(3)) destroy();
}

// What it waits for may be lost in the end of another one, or of all.
Task<> Mortal::ask(std::uint64_t seed, int hops) {
  Random random(seed);
  try {
    const int answer = co_await anyone(random).call<&Mortal::answer>();
    require(answer == 1, "a mortal's answer is wrong");
  } catch (const UsageError&) {
    co_return;
  }
  play(random.next(), hops);
}

Task<> Mortal::agree() {
  try {
    static_cast<void>(co_await contribute(sum, 1));
  } catch (const UsageError&) {
  }
}

namespace acts {

Task<> make_singles(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  for (int i = random.between(1, 4); i > 0; --i) {
    make_sprout(random, 4);
    if (random.chance(20)) co_await runtime.sleep_for(microseconds(random.below(50)));
  }
}

Task<> take_census(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t number = stage().censuses.size();
  Census& census = stage().censuses.emplace_back();
  census.seed = seed;
  const auto citizens = co_await runtime.create_sparse<Citizen>();
  for (int i = random.between(1, 4); i > 0; --i)
    citizens[census.next_index++].insert_on(stage().any_pe(random), number, 0);
  co_await runtime.quiescence();
  for (const auto& [reduction, step] : census.steps)
    require(step.total == step.contributed && step.heard == step.contributed,
            "of " + std::to_string(step.contributed) + " who contributed to reduction " + std::to_string(reduction) +
                " " + std::to_string(step.heard) + " heard of " + std::to_string(step.total));
  require(census.alive == 0, "elements are left that have ended");
  co_await citizens.destroy_and_wait();
}

Task<> walk_balanced(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const int count = random.between(1, 8), steps = random.between(1, 4);
  const auto walkers = co_await runtime.create<Walker>(count, steps);
  const Strategy strategy = random.chance(50) ? Strategy(strategies::rotate) : Strategy(strategies::greedy);
  co_await runtime.balance(walkers, strategy);
  for (int i = random.below(4); i > 0; --i) walkers[random.below(count)].send<&Walker::go>(stage().any_pe(random));
  const int total = co_await walkers.call_all<&Walker::walk>(sum);
  require(total == count * steps * (steps + 1) / 2, "a walk of " + std::to_string(count) + " in " +
                                                        std::to_string(steps) + " steps gave " + std::to_string(total));
  co_await walkers.destroy_and_wait();
}

namespace {

Task<Proxy<Mortal>> make_mortals(Runtime& runtime, std::uint64_t number, Random& random) {
  if (random.chance(50)) co_return co_await runtime.create<Mortal>(8, number);
  const auto mortals = co_await runtime.create_sparse<Mortal>();
  for (int i = 0; i < 8; ++i) mortals[i].insert_on(stage().any_pe(random), number);
  co_return mortals;
}

}  // namespace

Task<> destroy_array(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t number = stage().mortals.size();
  const int& alive = stage().mortals.emplace_back(0);
  const auto mortals = co_await make_mortals(runtime, number, random);
  if (mortals.is_sparse() && random.chance(50)) mortals.broadcast<&Mortal::agree>();  // who ends is not waited for
  for (int i = random.below(10); i > 0; --i) mortals[random.below(8)].send<&Mortal::play>(random.next(), 6);
  if (random.chance(50)) co_await runtime.sleep_for(microseconds(random.below(300)));
  if (random.chance(30)) mortals.broadcast<&Mortal::play>(random.next(), 4);
  co_await mortals.destroy_and_wait();
  require(alive == 0, std::to_string(alive) + " elements are left of a destroyed array");
  bool is_refused = false;
  try {
    mortals[0].send<&Mortal::play>(random.next(), 1);
  } catch (const UsageError&) {
    is_refused = true;
  }
  require(is_refused, "a destroyed array was sent to");
}

Task<> fail_to_make_array(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t number = stage().mortals.size();
  const int& alive = stage().mortals.emplace_back(0);
  const int failing = random.chance(70) ? random.below(8) : -1;
  const Unsteady unsteady{failing < 0 || random.chance(30) ? stage().any_pe(random) : kNobody};
  bool has_failed = false;
  Proxy<Mortal> mortals;
  try {
    mortals = co_await runtime.create<Mortal>(8, number, random.next(), failing, unsteady);
  } catch (const std::domain_error&) {
    has_failed = true;
  }
  require(has_failed || failing < 0, "an array was made of which a constructor throws");
  if (!has_failed) co_return co_await mortals.destroy_and_wait();  // nobody had to pack it there
  co_await runtime.quiescence();
  require(alive == 0, std::to_string(alive) + " elements are left of an array that could not be made");
}

}  // namespace acts

std::span<const Activity> activities() {
  static constexpr std::array kAll{Activity{"letters", acts::write_letters},
                                   Activity{"questions", acts::ask},
                                   Activity{"waits given up", acts::give_up_waits},
                                   Activity{"broadcasts", acts::broadcast},
                                   Activity{"counts", acts::count_all},
                                   Activity{"guests", acts::end_and_insert},
                                   Activity{"section", acts::make_section},
                                   Activity{"callbacks", acts::call_back},
                                   Activity{"completion", acts::complete_group},
                                   Activity{"rebalancing", acts::rebalance},
                                   Activity{"quiescence", acts::await_quiescence},
                                   Activity{"singles", acts::make_singles},
                                   Activity{"census", acts::take_census},
                                   Activity{"walk", acts::walk_balanced},
                                   Activity{"end of an array", acts::destroy_array},
                                   Activity{"failing array", acts::fail_to_make_array},
                                   Activity{"bonds", acts::live_together},
                                   Activity{"orders", acts::count_in_order}};
  return kAll;
}

}  // namespace kaon::testing::simulation

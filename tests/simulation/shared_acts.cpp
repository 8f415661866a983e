// SPDX-License-Identifier: Apache-2.0
// Activities with the actors of the stage.
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation::acts {

using std::chrono::microseconds;

Task<> write_letters(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  for (int i = random.between(1, 12); i > 0; --i) {
    send_letter(random, 4);
    if (random.chance(15)) co_await runtime.sleep_for(microseconds(random.below(100)));
    if (random.chance(10)) co_await stage().any_crowd(random).anyone(random).ready();
    if (random.chance(10)) runtime.flush();
  }
}

Task<> ask(Runtime&, std::uint64_t seed) {
  Random random(seed);
  std::vector<Task<>> together;
  for (int i = random.between(1, 4); i > 0; --i) together.push_back(ask_someone(random.next()));
  co_await all(std::move(together));
  co_await ask_someone(random.next());
}

Task<> give_up_waits(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  for (int i = random.between(1, 4); i > 0; --i) {
    const auto stayer = stage().any_crowd(random).any_stayer(random);
    const int number = random.below(100), patience = random.below(60), waiting = random.below(60);
    const auto first =
        co_await any(stayer.call<&Actor::answer_slowly>(number, waiting), runtime.sleep_for(microseconds(patience)));
    if (first.index() == 0) require(std::get<0>(first) == number + 1, "an answer is wrong that came in time");
  }
}

Task<> broadcast(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  for (int i = random.between(1, 3); i > 0; --i) {
    const Crowd& crowd = stage().any_crowd(random);
    const Ledger::Id id = stage().ledger.expect_each("a broadcast", crowd.lives_of_stayers());
    if (random.chance(40))
      crowd.actors.broadcast<&Actor::hear>(id);
    else if (random.chance(50))
      crowd.actors.broadcast<&Actor::hear_later>(id, random.below(40));
    else
      callback<&Actor::hear>(crowd.actors)(id);
    if (random.chance(20)) co_await runtime.sleep_for(microseconds(random.below(50)));
  }
}

namespace {

template <class Asked>
Task<Actor::Counts> counts_of(Asked asked) {
  co_return co_await asked.template call_all<&Actor::count>(sum);
}
template <class Asked>
Task<Actor::Counts> later_counts_of(Asked asked, std::uint64_t seed) {
  co_return co_await asked.template call_all<&Actor::count_later>(sum, seed);
}

/// Who is asked may end instead of answering, where there are guests.
Task<> check_count(Task<Actor::Counts> asked, int expected, bool may_fail) {
  try {
    const Actor::Counts counts = co_await std::move(asked);
    require(counts[0] == expected,
            "of " + std::to_string(expected) + " who stay " + std::to_string(counts[0]) + " were asked");
  } catch (const UsageError&) {
    if (!may_fail) throw;
  }
}

/// All contribute in two reductions at once.
Task<> check_agreement(Task<int> low, Task<int> high, int expected) {
  const auto [least, most] = co_await all(std::move(low), std::move(high));
  require(least == expected && most == expected, "a reduction of " + std::to_string(expected) + " gave " +
                                                     std::to_string(least) + " and " + std::to_string(most));
}

Task<int> least_agreed(Proxy<Actor> actors) { co_return co_await actors.call_all<&Actor::agree>(min); }
Task<int> least_agreed_in(Section<Actor> section) {
  co_return co_await section.call_all<&Actor::agree_in>(min, section);
}

}  // namespace

Task<> count_all(Runtime&, std::uint64_t seed) {
  Random random(seed);
  const Crowd& crowd = stage().any_crowd(random);
  co_await check_count(counts_of(crowd.actors), crowd.stayers, crowd.guests > 0);
  co_await check_count(later_counts_of(crowd.actors, random.next()), crowd.stayers, crowd.guests > 0);
  if (crowd.guests > 0) co_return;  // of whom nobody knows in which reductions they take part
  co_await check_agreement(least_agreed(crowd.actors), least_agreed(crowd.actors), crowd.stayers);
}

Task<> end_and_insert(Runtime&, std::uint64_t seed) {
  Random random(seed);
  Crowd& crowd = stage().any_crowd(random);
  if (crowd.guests == 0) co_return;
  const auto place = random.below(crowd.are_busy.size());
  if (crowd.are_busy[place]) co_return;
  crowd.are_busy[place] = true;
  const auto guest = crowd.actors[-1 - static_cast<int>(place)];
  for (int i = random.between(1, 5); i > 0; --i) {
    const int generation = crowd.generations[place]++;
    const PeId to = stage().any_pe(random);
    if (random.chance(30)) guest.send<&Actor::go>(stage().any_pe(random));
    if (random.chance(30)) {
      co_await guest.call<&Actor::replace>(to);
    } else {
      const int ended = co_await guest.call<&Actor::end>();
      require(ended == generation, "another guest ended than was there");
      if (random.chance(50)) {
        co_await guest.insert_on_and_wait(to, crowd.number, generation + 1);
        continue;
      }
      guest.insert_on(to, crowd.number, generation + 1);
    }
    // One that has called destroy() runs what still comes while a payload that lands there keeps it. Asked behind all
    // letters: the one with that payload may have any of their priorities.
    while (co_await guest.with_priority(3).call<&Actor::generation>() == generation) {
    }
  }
  crowd.are_busy[place] = false;
}

Task<> make_section(Runtime&, std::uint64_t seed) {
  Random random(seed);
  const Crowd& crowd = stage().any_crowd(random);
  std::vector<Index> members;
  std::vector<Life> lives;
  bool has_guests = false;
  for (int i = -crowd.guests; i < crowd.stayers; ++i) {
    if (!random.chance(60) && i + 1 < crowd.stayers) continue;
    members.emplace_back(i);
    if (i >= 0) lives.push_back({crowd.number, i, 0});
    has_guests |= i < 0;
  }
  const auto expected = static_cast<int>(lives.size());
  const Section<Actor> section = co_await crowd.actors.section(members);
  for (int i = random.between(1, 3); i > 0; --i) {
    const Ledger::Id id = stage().ledger.expect_each("a multicast", lives);
    co_await section.call_all_and_wait<&Actor::hear>(id);
    co_await check_count(later_counts_of(section, random.next()), expected, has_guests);
  }
  if (!has_guests) co_await check_agreement(least_agreed_in(section), least_agreed_in(section), expected);
  if (random.chance(50)) co_return section.destroy();
  section.broadcast<&Actor::hear>(stage().ledger.expect_each("a late multicast", lives));
}

// not unnamed: functions of callbacks are told apart by their names
void take_at_function(Ledger::Id id) { stage().ledger.arrive(id); }

Task<> call_back(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const int value = random.below(1000);
  const Future<int> future = runtime.future<int>(), ignored = runtime.future<int>();
  for (const Future<int>* each : {&future, &ignored})
    stage().any_crowd(random).anyone(random).send<&Actor::relay>(each->callback(), value, random.below(5),
                                                                 random.next());
  callback<&take_at_function>(stage().any_pe(random))(stage().ledger.expect("a call of a function"));
  const int got = co_await future;
  require(got == value, "a future was told something else");
  const int other = co_await ignored;
  require(other == value, "another future was told something else");
}

Task<> complete_group(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  const int producers = random.between(1, 5);
  const Completion group = co_await Completion::start(runtime, static_cast<std::uint64_t>(producers));
  std::vector<Ledger::Id> ids;
  for (int i = 0; i < producers; ++i)
    stage().any_crowd(random).anyone(random).send<&Actor::produce>(random.next(), random.below(5), group);
  co_await group.finished();
  group.destroy();
}

namespace {

Strategy any_strategy(std::uint64_t seed) {
  Random random(seed);
  const auto which = random.below(6);
  if (which == 0) return strategies::rotate;
  if (which == 1) return strategies::greedy;
  if (which == 2) return strategies::refine;
  if (which == 3) return strategies::none;
  if (which == 4) return [](const LoadReport&) -> std::vector<PeId> { throw std::runtime_error("no idea"); };
  return [seed](const LoadReport& report) {
    Random places(seed);
    std::vector<PeId> to = report.places();
    for (PeId& place : to)
      if (places.chance(50)) place = stage().any_pe(places);
    return to;
  };
}

}  // namespace

Task<> rebalance(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  Crowd& crowd = stage().any_crowd(random);
  if (crowd.is_stepping || (crowd.leader != kNobody && crowd.leader != runtime.pe())) co_return;
  crowd.leader = runtime.pe();
  crowd.is_stepping = true;
  for (int i = random.between(1, 3); i > 0; --i) {
    std::string error;
    try {
      static_cast<void>(co_await runtime.rebalance(crowd.actors, any_strategy(random.next())));
    } catch (const UsageError& failure) {
      error = failure.what();
    }
    require(error.empty() || error.find("no idea") != error.npos, "a step of balancing failed: " + error);
  }
  crowd.is_stepping = false;
}

Task<> await_quiescence(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  for (int i = random.below(4); i > 0; --i) send_letter(random, 3);
  const Ledger::Id mark = stage().ledger.mark();
  co_await runtime.quiescence();
  stage().ledger.require_all(mark);
  send_letter(random, 2);
}

}  // namespace kaon::testing::simulation::acts

// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/actor.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace kaon::testing::simulation {
namespace {

using std::chrono::microseconds;

constexpr std::array<std::size_t, 5> kSizes{0, 3, 500, 700, 5000};  // of payloads; above 512 they travel apart

void check(const Letter& letter, const Payload<std::uint32_t>& data) {
  const auto expected = contents(letter, data.size());
  require(std::find(kSizes.begin(), kSizes.end(), data.size()) != kSizes.end(), "a payload has another size");
  require(std::equal(expected.begin(), expected.end(), data.view().begin()), "a payload has other contents");
}

Payload<std::uint32_t> any_data(const Letter& letter, Random& random) {
  return Payload(contents(letter, kSizes[random.below(kSizes.size())]));
}

void send_to_stayer(Random& random, int hops) {
  const auto to = stage().any_crowd(random).any_stayer(random);
  if (random.chance(50)) {
    std::vector<PeId> stops(random.below(4u));
    for (PeId& stop : stops) stop = stage().any_pe(random);
    to.send<&Actor::take_along>(std::move(stops), stage().letter("a letter along", random, hops));
    return;
  }
  const Letter letter = stage().letter("a payload to be fetched", random, hops);
  to.send<&Actor::fetch>(letter, any_data(letter, random));
}

}  // namespace

std::vector<std::uint32_t> contents(const Letter& letter, std::size_t count) {
  std::vector<std::uint32_t> values(count);
  Random random(letter.seed);
  for (auto& value : values) value = static_cast<std::uint32_t>(random.next());
  return values;
}

void send_letter(Random& random, int hops) {
  Stage& here = stage();
  auto to = here.any_crowd(random).anyone(random);
  if (random.chance(20)) to = to.with_priority(random.between(-2, 2));
  const auto way = random.below(100);
  if (way < 40) {
    to.send<&Actor::take>(here.letter("a letter", random, hops));
  } else if (way < 60) {
    to.send<&Actor::take_slowly>(here.letter("a slow letter", random, hops));
  } else if (way < 70) {
    const Letter letter = here.letter("a payload", random, hops);
    to.send<&Actor::carry>(letter, any_data(letter, random));
  } else if (way < 80) {
    const Letter letter = here.letter("a payload to a landing", random, hops);
    to.send<&Actor::store>(letter, any_data(letter, random));
  } else if (way < 85) {
    callback<&Actor::take>(to)(here.letter("a letter by callback", random, hops));
  } else if (way < 90) {
    here.hosts[static_cast<int>(here.any_pe(random))].send<&Host::take>(
        here.letter("a letter to a host", random, hops));
  } else {
    send_to_stayer(random, hops);
  }
}

Task<> ask_someone(std::uint64_t seed) {
  Random random(seed);
  const Crowd& crowd = stage().any_crowd(random);
  const int number = random.below(1000);
  if (random.chance(40)) {
    const int answer = co_await crowd.anyone(random).call<&Actor::answer>(number);
    require(answer == number + 1, "an answer is wrong");
  } else if (random.chance(25)) {
    std::string text;
    try {
      co_await crowd.anyone(random).call<&Actor::refuse>(number);
    } catch (const std::out_of_range& error) {
      text = error.what();
    }
    require(text == "not " + std::to_string(number), "an exception says: " + text);
  } else {
    try {
      const int answer = co_await crowd.anyone(random).call<&Actor::answer_slowly>(number, random.below(50));
      require(answer == number + 1, "a slow answer is wrong");
    } catch (const UsageError&) {
      require(crowd.guests > 0, "a call failed, and nobody ended");
    }
  }
}

void Actor::act(const Letter& letter) {
  Random random(letter.seed + 1);
  for (int i = random.below(3); i > 0; --i) write(random, letter.hops);
}

void Actor::write(Random& random, int hops) {
  if (random.chance(25)) return migrate_to(stage().any_pe(random));
  if (hops > 0) send_letter(random, hops - 1);
}

void Actor::take(const Letter& letter) {
  stage().ledger.arrive(letter.id);
  act(letter);
}

Task<> Actor::take_slowly(Letter letter) {
  const Running running;
  stage().ledger.arrive(letter.id);
  Random random(letter.seed + 2);
  if (random.chance(50))
    co_await this_runtime().sleep_for(microseconds(random.below(200)));
  else
    co_await ask_someone(random.next());
  act(letter);
}

Task<> Actor::take_along(std::vector<PeId> stops, Letter letter) {
  if (std::exchange(is_on_a_way_, true)) return take_slowly(letter);
  return go_along(std::move(stops), letter);
}

Task<> Actor::go_along(std::vector<PeId> stops, Letter letter) {
  const Running running;
  while (!stops.empty()) {
    migrate_to(stops.back());
    stops.pop_back();
    co_await at_rest<&Actor::go_along>(stops, letter);
  }
  is_on_a_way_ = false;
  take(letter);
}

void Actor::carry(const Letter& letter, const Payload<std::uint32_t>& data) {
  check(letter, data);
  take(letter);
}

void Actor::store(const Letter& letter, const Payload<std::uint32_t>& data) {
  check(letter, data);
  landings_.erase(letter.id);
  take(letter);
}

Landing Actor::post(PostFor<&Actor::store>, const Letter& letter, const Payload<std::uint32_t>& data) {
  auto& landing = landings_[letter.id];
  landing.resize(data.size());
  return Landing::into(std::span(landing));
}

Task<> Actor::fetch(Letter letter, Payload<std::uint32_t> data) {
  const Running running;
  Random random(letter.seed + 2);
  if (random.chance(50)) co_await this_runtime().sleep_for(microseconds(random.below(100)));
  co_await land(data, Landing::pooled());
  check(letter, data);
  take(letter);
}

void Actor::consume(const Letter& letter, const Completion& group) {
  take(letter);
  group.consume();
}

void Actor::produce(std::uint64_t seed, int count, const Completion& group) {
  Random random(seed);
  group.produce(static_cast<std::uint64_t>(count));
  for (int i = 0; i < count; ++i)
    stage().any_crowd(random).anyone(random).send<&Actor::consume>(stage().letter("one of a group", random, 0), group);
  if (random.chance(30)) migrate_to(stage().any_pe(random));
  group.done();
}

Task<> Actor::hear_later(Ledger::Id id, int waiting) {
  const Running running;
  stage().ledger.arrive_at(id, life());
  co_await this_runtime().sleep_for(microseconds(waiting));
}

void Actor::replace(PeId to) {
  destroy();
  self().insert_on(to, crowd_, generation_ + 1);
}

Task<int> Actor::answer_slowly(int number, int waiting) {
  co_await this_runtime().sleep_for(microseconds(waiting));
  co_return number + 1;
}

void Actor::refuse(int number) const { throw std::out_of_range("not " + std::to_string(number)); }

Task<Actor::Counts> Actor::count_later(std::uint64_t seed) {
  Random random(seed + static_cast<std::uint64_t>(index().x));
  if (random.chance(30)) migrate_to(stage().any_pe(random));
  if (random.chance(50)) co_await this_runtime().sleep_for(microseconds(random.below(30)));
  co_return count();
}

void Actor::relay(const Callback<int>& then, int value, int hops, std::uint64_t seed) {
  if (hops == 0) return then(value);
  Random random(seed);
  const Crowd& crowd = stage().any_crowd(random);
  crowd.anyone(random).send<&Actor::relay>(then, value, hops - 1, random.next());
  if (random.chance(30)) migrate_to(stage().any_pe(random));
}

Task<int> Actor::agree() {
  const Running running;
  co_return co_await contribute(sum, 1);
}

Task<int> Actor::agree_in(Section<Actor> section) {
  const Running running;
  co_return co_await contribute(section, sum, 1);
}

}  // namespace kaon::testing::simulation

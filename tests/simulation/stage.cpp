// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/stage.hpp"

#include <string>

#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {
namespace {

Stage* current = nullptr;

Task<> make_crowd(Runtime& runtime, Crowd& crowd, Random& random) {
  if (crowd.is_sparse) {
    crowd.actors = co_await runtime.create_sparse<Actor>();
    for (int i = -crowd.guests; i < crowd.stayers; ++i)
      co_await crowd.actors[i].insert_on_and_wait(random.below(runtime.pes()), crowd.number, 0);
  } else {
    const Map map = random.chance(50) ? Map::block : Map::round_robin;
    crowd.actors = co_await runtime.create_mapped<Actor>(crowd.stayers, map, crowd.number, 0);
  }
}

}  // namespace

Stage& stage() { return *current; }
OnStage::OnStage(Stage& stage) { current = &stage; }
OnStage::~OnStage() { current = nullptr; }

std::vector<Life> Crowd::lives_of_stayers() const {
  std::vector<Life> lives;
  for (int i = 0; i < stayers; ++i) lives.push_back({number, i, 0});
  return lives;
}

Element<Actor> Crowd::any_stayer(Random& random) const { return actors[random.below(stayers)]; }
Element<Actor> Crowd::anyone(Random& random) const { return actors[random.below(stayers + guests) - guests]; }

Task<> set_up(Runtime& runtime, std::uint64_t seed) {
  Random random(seed);
  Stage& here = stage();
  here.pes = runtime.pes();
  here.hosts = co_await runtime.create_group<Host>();
  here.crowds.resize(random.between<std::size_t>(1, 3));
  for (std::size_t i = 0; i < here.crowds.size(); ++i) {
    Crowd& crowd = here.crowds[i];
    crowd.number = static_cast<int>(i);
    crowd.is_sparse = random.chance(60);
    crowd.stayers = random.between(1, 9);
    crowd.guests = crowd.is_sparse ? random.below(4) : 0;
    crowd.generations.assign(static_cast<std::size_t>(crowd.guests), 0);
    crowd.are_busy.assign(static_cast<std::size_t>(crowd.guests), false);
    co_await make_crowd(runtime, crowd, random);
  }
}

Task<> tear_down(Runtime&) {
  for (const Crowd& crowd : stage().crowds) co_await crowd.actors.destroy_and_wait();
  co_await stage().hosts.destroy_and_wait();
  require(stage().alive == 0, std::to_string(stage().alive) + " actors are left of destroyed arrays");
}

void require_calm() {
  int expected = 0;
  for (const Crowd& crowd : stage().crowds) expected += crowd.stayers + crowd.guests;
  stage().ledger.require_all(stage().ledger.mark());
  require(stage().running == 0, std::to_string(stage().running) + " tasks are still waiting for what must come");
  require(stage().alive == expected,
          "there are " + std::to_string(stage().alive) + " actors, and should be " + std::to_string(expected));
}

}  // namespace kaon::testing::simulation

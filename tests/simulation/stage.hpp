// SPDX-License-Identifier: Apache-2.0
// The arrays that all activities of a simulated program share, and who is in them.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/simulation/ledger.hpp"
#include "tests/simulation/random.hpp"

namespace kaon::testing::simulation {

inline constexpr PeId kNobody = ~PeId{0};

class Actor;
class Host;

/// An array of actors. Those with indices from 0 stay; those below 0, of a sparse one, end now and then and are soon
/// inserted again.
struct Crowd {
  int number = 0;
  bool is_sparse = false;
  int stayers = 0;
  int guests = 0;
  Proxy<Actor> actors;
  std::vector<int> generations;  // of guests
  std::vector<bool> are_busy;    // guests whom an activity inserts and ends
  bool is_stepping = false;      // of balancing; one at a time, and all led by one PE
  PeId leader = kNobody;

  std::vector<Life> lives_of_stayers() const;
  Element<Actor> any_stayer(Random& random) const;
  Element<Actor> anyone(Random& random) const;
};

/// A message to an actor: what it does then follows from `seed`, whenever that is.
struct Letter {
  Ledger::Id id = 0;
  std::uint64_t seed = 0;
  int hops = 0;  // letters that may come of it, one behind the other
};

/// How many took part in the reductions of an array whose elements come and go.
struct Census {
  struct Step {
    int contributed = 0, heard = 0, total = 0;
  };
  std::uint64_t seed = 0;
  std::map<int, Step> steps;
  int next_index = 0;
  int alive = 0;
};

struct Stage {
  Ledger ledger;
  std::vector<Crowd> crowds;
  Group<Host> hosts;
  PeId pes = 1;
  int alive = 0;    // actors, those on their way not counted
  int running = 0;  // tasks that somebody or something will wake
  std::deque<Census> censuses;
  std::deque<int> mortals;  // by array, how many are alive

  Crowd& any_crowd(Random& random) { return crowds[random.below(crowds.size())]; }
  Letter letter(const char* what, Random& random, int hops) { return {ledger.expect(what), random.next(), hops}; }
  PeId any_pe(Random& random) const { return random.below(pes); }
};

/// That of the simulation that runs.
Stage& stage();

/// Makes one stage() as long as it is there.
class OnStage {
 public:
  explicit OnStage(Stage& stage);
  ~OnStage();
  OnStage(const OnStage&) = delete;
  OnStage& operator=(const OnStage&) = delete;
};

/// In a task that does not end before something happens that must happen: there is no quiescence before.
class Running {
 public:
  Running() { ++stage().running; }
  ~Running() { --stage().running; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

Task<> set_up(Runtime& runtime, std::uint64_t seed);
Task<> tear_down(Runtime& runtime);
/// Throws Fault when something is not as it must be when nothing is under way.
void require_calm();

}  // namespace kaon::testing::simulation

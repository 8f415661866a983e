// SPDX-License-Identifier: Apache-2.0
// Chares whose arrays are bound to each other.
#pragma once
#include <cstdint>

#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {

class Rider;

/// Leads: it goes about by itself, and its rider has it go.
class Horse : public Chare<Horse> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(riders_);
  }
  void know(Proxy<Rider> riders) { riders_ = riders; }
  void take(const Letter& letter);
  Task<> take_slowly(Letter letter);
  void end() { destroy(); }

 private:
  void act(const Letter& letter);

  Proxy<Rider> riders_;
};

class Rider : public Chare<Rider> {
 public:
  Rider() = default;
  explicit Rider(Proxy<Horse> horses) : horses_(horses) { require_horse(); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(horses_, has_horse_, is_on_a_way_);
  }
  void take(const Letter& letter);
  Task<> take_slowly(Letter letter);
  /// Goes from PE to PE, at rest on each; one such way at a time.
  Task<> ride(int stops, Letter letter);
  Task<> ride_on(int stops, Letter letter);
  /// From now on there may be no horses.
  void dismount() { has_horse_ = false; }

 private:
  void act(const Letter& letter);
  void require_horse() const;

  Proxy<Horse> horses_;
  bool has_horse_ = true;
  bool is_on_a_way_ = false;
};

}  // namespace kaon::testing::simulation

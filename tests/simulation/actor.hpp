// SPDX-License-Identifier: Apache-2.0
// Those who play in a simulated program: chares that take letters, write others, move, ask, wait and count.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/simulation/stage.hpp"

namespace kaon::testing::simulation {

/// One on each PE.
class Host : public Chare<Host> {
 public:
  void take(const Letter& letter) {
    ++taken_;
    stage().ledger.arrive(letter.id);
  }
  int taken() const { return taken_; }

 private:
  int taken_ = 0;
};

/// The contents of a payload of a letter.
std::vector<std::uint32_t> contents(const Letter& letter, std::size_t count);

class Actor : public Chare<Actor> {
 public:
  using Counts = std::array<int, 2>;  // who stays, and guests

  Actor() { ++stage().alive; }
  Actor(int crowd, int generation) : crowd_(crowd), generation_(generation) { ++stage().alive; }
  ~Actor() { --stage().alive; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(crowd_, generation_, is_on_a_way_);
  }

  // --- letters
  void take(const Letter& letter);
  /// Is suspended meanwhile: by a timer, or asking another one.
  Task<> take_slowly(Letter letter);
  /// Goes from PE to PE, and takes the letter on the last. To those who stay.
  Task<> take_along(std::vector<PeId> stops, Letter letter);
  Task<> go_along(std::vector<PeId> stops, Letter letter);
  void carry(const Letter& letter, const Payload<std::uint32_t>& data);
  void store(const Letter& letter, const Payload<std::uint32_t>& data);
  Landing post(PostFor<&Actor::store>, const Letter& letter, const Payload<std::uint32_t>& data);
  Task<> fetch(Letter letter, Payload<std::uint32_t> data);
  Landing post(PostFor<&Actor::fetch>, const Letter&, const Payload<std::uint32_t>&) { return Landing::later(); }
  /// Counted apart.
  void consume(const Letter& letter, const Completion& group);
  void produce(std::uint64_t seed, int count, const Completion& group);
  /// Takes a broadcast to all elements or to a section.
  void hear(Ledger::Id id) { stage().ledger.arrive_at(id, life()); }
  Task<> hear_later(Ledger::Id id, int microseconds);

  // --- moves and ends
  void go(PeId to) { migrate_to(to); }
  int end() {
    destroy();
    return generation_;
  }
  int generation() const { return generation_; }
  /// Ends, and has another one inserted in its place.
  void replace(PeId to);

  // --- questions
  int answer(int number) const { return number + 1; }
  Task<int> answer_slowly(int number, int microseconds);
  void refuse(int number) const;
  Counts count() const { return generation_ == 0 && index().x >= 0 ? Counts{1, 0} : Counts{0, 1}; }
  Task<Counts> count_later(std::uint64_t seed);
  void relay(const Callback<int>& then, int value, int hops, std::uint64_t seed);
  /// All give the same: how many contribute.
  Task<int> agree();
  Task<int> agree_in(Section<Actor> section);

 private:
  Life life() const { return {crowd_, index().x, generation_}; }
  void act(const Letter& letter);
  void write(Random& random, int hops);

  int crowd_ = 0, generation_ = 0;
  bool is_on_a_way_ = false;  // one entry at a time may be at a point of rest
  std::map<Ledger::Id, std::vector<std::uint32_t>> landings_;
};

/// Sends a letter to an actor in one of many ways.
void send_letter(Random& random, int hops);
/// Calls an actor, and checks the answer.
Task<> ask_someone(std::uint64_t seed);

}  // namespace kaon::testing::simulation

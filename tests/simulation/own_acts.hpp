// SPDX-License-Identifier: Apache-2.0
// Chares of activities that have their own.
#pragma once
#include <cstdint>
#include <stdexcept>

#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {

/// In no array: takes a letter when it is made, makes others, and ends.
class Sprout : public Chare<Sprout> {
 public:
  Sprout() = default;
  explicit Sprout(const Letter& letter);
  template <class Archive>
  void pup(Archive& archive) {
    archive(seed_);
  }
  void take_and_end(const Letter& letter) {
    stage().ledger.arrive(letter.id);
    destroy();
  }
  /// Moves, and ends with the last letter behind the move: messages to an ended single chare wait for ever.
  void go_and_end(PeId to, const Letter& letter) {
    self().send<&Sprout::take_and_end>(letter);
    migrate_to(to);
  }

 private:
  std::uint64_t seed_ = 0;
};

/// Lives for some reductions, in which all who are there then take part.
class Citizen : public Chare<Citizen> {
 public:
  Citizen() = default;
  Citizen(std::uint64_t census, int step);
  Citizen(const Citizen&) = delete;
  Citizen& operator=(const Citizen&) = delete;
  ~Citizen() {
    if (census_ != nullptr) --census_->alive;
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(number_, step_);
    if (census_ == nullptr) begin();
  }

  Task<> live();

 private:
  static constexpr int kSteps = 6, kMost = 20;
  void have_child(Random& random);
  void begin() { ++(census_ = &stage().censuses[number_])->alive; }

  Census* census_ = nullptr;  // all processes are this one
  std::uint64_t number_ = 0;
  int step_ = 0;
};

/// Goes around with its neighbors step by step, and is moved by balancing between two of them.
class Walker : public Chare<Walker> {
 public:
  Inbox<int> words;

  Walker() = default;
  explicit Walker(int steps) : steps_(steps) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(words, steps_, step_, sum_);
  }
  Task<int> walk();
  void go(PeId to) { migrate_to(to); }

 private:
  int steps_ = 0, step_ = 0, sum_ = 0;
};

/// An argument that cannot be packed on one of the PEs.
struct Unsteady {
  PeId breaks_on = kNobody;
  template <class Archive>
  void pup(Archive& archive) {
    archive(breaks_on);
    if constexpr (Archive::is_saving)
      if (this_runtime().pe() == breaks_on) throw std::domain_error("it cannot be packed here");
  }
};

/// A member of an array that is destroyed in the midst of it, or of which not all can be made.
class Mortal : public Chare<Mortal> {
 public:
  Mortal() = default;
  explicit Mortal(std::uint64_t number) : number_(number) { begin(); }
  /// Does things already, and cannot be made if it is the one with this index.
  Mortal(std::uint64_t number, std::uint64_t seed, int failing, const Unsteady&);
  Mortal(const Mortal&) = delete;
  Mortal& operator=(const Mortal&) = delete;
  ~Mortal() {
    if (alive_ != nullptr) --*alive_;
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(number_);
    if (alive_ == nullptr) begin();
  }

  void play(std::uint64_t seed, int hops);
  Task<> ask(std::uint64_t seed, int hops);
  Task<> agree();
  int answer() const { return 1; }
  void carry(const Payload<int>&) const {}

 private:
  Element<Mortal> anyone(Random& random) const;
  void begin() { ++*(alive_ = &stage().mortals[number_]); }

  int* alive_ = nullptr;
  std::uint64_t number_ = 0;
};

}  // namespace kaon::testing::simulation

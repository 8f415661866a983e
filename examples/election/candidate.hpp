// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <kaon/kaon.hpp>

/// One that stands for election on a ring, and knows nobody but the next. Everybody tells the next of itself; a name
/// that is greater than one's own is told on, a smaller one is not; a name that has come round wins (E. Chang and
/// R. Roberts, "An improved algorithm for decentralized extrema-finding in circular configurations of processes",
/// Communications of the ACM 22(5), 1979).
class Candidate : public kaon::Chare<Candidate> {
 public:
  /// Names are 0 to elements - 1, one for each, in an order that `step` makes: it has no divisor in common with the
  /// number of elements.
  explicit Candidate(int step) : name_(static_cast<int>(static_cast<long>(index().x) * step % array().shape().x)) {}

  kaon::Inbox<int> known;  // who has won

  /// Stands, and gives the name of who has won; once on each that wants to know. Those who are not asked stand when
  /// they hear of an election.
  kaon::Task<int> elect() {
    stand();
    co_return co_await known.next();
  }
  void hear(int name) {
    if (name == name_) return learn(name);
    if (name > name_) next().send<&Candidate::hear>(name);
    stand();
  }
  void learn(int leader) {
    if (leader_ == leader) return;  // it has come round
    leader_ = leader;
    self().send<&Candidate::known>(leader);
    next().send<&Candidate::learn>(leader);
  }

 private:
  void stand() {
    if (has_stood_) return;
    has_stood_ = true;
    next().send<&Candidate::hear>(name_);
  }
  kaon::Element<Candidate> next() const { return array()[(index().x + 1) % array().shape().x]; }

  int name_;
  bool has_stood_ = false;
  int leader_ = -1;
};

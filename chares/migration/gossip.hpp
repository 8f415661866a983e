// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "kaon/chares/migration/balancing_news.hpp"

namespace kaon::chares {

/// How the PEs of a run deal with each other in a step of balancing, so that none needs to know all elements: the plan
/// of GrapevineLB (Menon and Kale, SC 2013), in which those with less than the mean make that known by gossip, and
/// those with more choose among the ones that they have heard of, by chance and the more often the less these have.
/// Differing from it, in each round everybody sends to as many as everybody hears from, those at distances that are
/// drawn anew but are equal for all: so each PE knows itself when a round is over. And elements are offered, not given:
/// a PE takes what neither makes it the busier of the two nor is too large for its device. As TemperedLB does
/// (Lifflander et al., CLUSTER 2021), what was refused is offered again, to others.
class Gossip {
 public:
  explicit Gossip(ElementTable& table) : table_(table) {}

  /// The elements of this PE, and how many bytes of its device's memory are free.
  void begin(const GossipTerms& terms, std::vector<ElementLoad> elements, std::uint64_t room);

  // --- what other PEs say, perhaps before this one has begun
  void hear(std::uint32_t round, const std::vector<PeLoad>& loads);
  void consider(std::uint32_t step, const PeLoad& giver, std::vector<Offer> offers);
  void decided(const PeLoad& taker, const std::vector<std::uint8_t>& are_taken);

 private:
  struct EarlyOffer {
    PeLoad giver;
    std::vector<Offer> offers;
  };

  PeId pes() const;
  std::uint32_t rounds() const;
  double limit() const;
  void tell(std::uint32_t round);
  void look_at_round();
  void offer_elements();
  PeId choose_taker(double seconds);
  void judge(const PeLoad& giver, const std::vector<Offer>& offers);
  void end();

  ElementTable& table_;
  std::map<PeId, double> known_;         // PEs with less than the mean, as far as heard
  std::vector<std::uint32_t> received_;  // rumors, by round
  std::uint32_t round_ = 0;              // under way
  bool is_in_rounds_ = false;
  GossipTerms terms_;
  double seconds_ = 0;                // of this PE, with what it has taken and without what it has offered
  std::uint64_t room_ = 0;            // of its device, without what it has taken
  std::vector<ElementLoad> movable_;  // the lightest first
  std::map<PeId, std::vector<ElementLoad>> offered_;
  int tries_ = 0;
  std::vector<MoveOrder> orders_;
  std::map<PeId, double> given_;
  std::vector<EarlyOffer> early_;
  std::minstd_rand random_;
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/gossip.hpp"

#include <algorithm>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace {

constexpr std::uint32_t kFanout = 2;      // so many are told in a round
constexpr std::size_t kMostRumors = 256;  // PEs in one message
constexpr double kTolerance = 1.02;       // above the mean nobody gives
constexpr int kMostTries = 8;

/// How far those are whom everybody tells in a round: the same for all PEs.
PeId distance(std::uint32_t step, std::uint32_t round, std::uint32_t which, PeId pes) {
  std::minstd_rand random(step * 7919 + round * 104729 + which * 1299709 + 1);
  random.discard(3);
  return 1 + static_cast<PeId>(random()) % (pes - 1);
}

}  // namespace

PeId Gossip::pes() const { return table_.pe().process().total_pes(); }

double Gossip::limit() const { return kTolerance * terms_.mean; }

// Each round lets three times as many know, and one more makes it likely that all do.
std::uint32_t Gossip::rounds() const {
  std::uint32_t rounds = 1;
  for (std::uint64_t know = 1; know < pes(); know *= 1 + kFanout) ++rounds;
  return rounds;
}

void Gossip::begin(const GossipTerms& terms, std::vector<ElementLoad> elements, std::uint64_t room) {
  terms_ = terms;
  seconds_ = 0;
  room_ = room;
  tries_ = 0;
  random_.seed(terms.step * 31 + table_.pe().id() + 1);
  movable_.clear();
  for (const ElementLoad& each : elements) {
    seconds_ += each.seconds;
    if (each.can_move != 0 && each.seconds > 0) movable_.push_back(each);
  }
  std::sort(movable_.begin(), movable_.end(), [](const ElementLoad& a, const ElementLoad& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.element < b.element;
  });
  for (const EarlyOffer& each : std::exchange(early_, {})) judge(each.giver, each.offers);
  if (pes() == 1) return end();
  if (seconds_ < terms_.mean) known_[table_.pe().id()] = seconds_;
  round_ = 0;
  is_in_rounds_ = true;
  tell(0);
  look_at_round();
}

// --- rounds of rumors

void Gossip::tell(std::uint32_t round) {
  std::vector<PeLoad> loads;
  for (const auto& [pe, seconds] : known_) loads.push_back({pe, seconds});
  if (loads.size() > kMostRumors) {
    std::shuffle(loads.begin(), loads.end(), random_);
    loads.resize(kMostRumors);
  }
  for (std::uint32_t which = 0; which < kFanout; ++which) {
    const PeId to = (table_.pe().id() + distance(terms_.step, round, which, pes())) % pes();
    balancing_news::rumor(table_, to, round, loads);
  }
}

void Gossip::hear(std::uint32_t round, const std::vector<PeLoad>& loads) {
  if (round >= rounds()) throw CorruptMessage("balancing heard gossip of a round that does not exist");
  for (const PeLoad& each : loads) known_.try_emplace(each.pe, each.seconds);
  if (received_.size() <= round) received_.resize(round + 1);
  ++received_[round];
  look_at_round();
}

void Gossip::look_at_round() {
  while (is_in_rounds_ && round_ < received_.size() && received_[round_] == kFanout) {
    if (++round_ < rounds()) {
      tell(round_);
      continue;
    }
    is_in_rounds_ = false;
    received_.clear();
    known_.erase(table_.pe().id());
    offer_elements();
  }
}

// --- who has more than the mean

// By chance, as likely as it has less than the mean; one that would have more than this PE is none.
PeId Gossip::choose_taker(double seconds) {
  double gaps = 0;
  const auto gap_of = [&](double load) {
    return load + seconds <= limit() || load + seconds < seconds_ ? std::max(terms_.mean - load, 0.0) : 0;
  };
  for (const auto& [pe, load] : known_) gaps += gap_of(load);
  if (gaps <= 0) return pes();
  double chosen = std::uniform_real_distribution<double>(0, gaps)(random_);
  PeId last = pes();
  for (const auto& [pe, load] : known_) {
    const double gap = gap_of(load);
    if (gap <= 0) continue;
    last = pe;
    chosen -= gap;
    if (chosen < 0) break;
  }
  return last;
}

// The heaviest first; what nobody can take stays, and lighter ones are tried.
void Gossip::offer_elements() {
  std::vector<ElementLoad> kept;
  while (tries_ < kMostTries && seconds_ > limit() && !movable_.empty()) {
    const ElementLoad element = movable_.back();
    movable_.pop_back();
    const bool is_too_much = seconds_ - element.seconds < terms_.mean / kTolerance;
    const PeId to = is_too_much && !movable_.empty() ? pes() : choose_taker(element.seconds);
    if (to == pes()) {
      kept.push_back(element);
      continue;
    }
    seconds_ -= element.seconds;
    known_[to] += element.seconds;
    offered_[to].push_back(element);
  }
  movable_.insert(movable_.end(), kept.rbegin(), kept.rend());
  if (offered_.empty()) return end();
  ++tries_;
  for (const auto& [to, elements] : offered_) {
    std::vector<Offer> offers;
    double all = seconds_;
    for (const ElementLoad& each : elements) {
      offers.push_back({each.seconds, each.device_bytes});
      all += each.seconds;
    }
    balancing_news::offer(table_, to, terms_.step, {table_.pe().id(), all}, std::move(offers));
  }
}

void Gossip::decided(const PeLoad& taker, const std::vector<std::uint8_t>& are_taken) {
  const auto offered = offered_.find(taker.pe);
  if (offered == offered_.end() || offered->second.size() != are_taken.size())
    throw CorruptMessage("a PE answered to elements that it was not offered");
  for (std::size_t i = 0; i < are_taken.size(); ++i) {
    const ElementLoad& element = offered->second[i];
    if (are_taken[i] != 0) {
      orders_.push_back({element.element, taker.pe});
      given_[taker.pe] += element.seconds;
    } else {
      seconds_ += element.seconds;
      movable_.push_back(element);
    }
  }
  known_[taker.pe] = taker.seconds;
  offered_.erase(offered);
  if (!offered_.empty()) return;
  std::sort(movable_.begin(), movable_.end(),
            [](const ElementLoad& a, const ElementLoad& b) { return a.seconds < b.seconds; });
  offer_elements();
}

void Gossip::end() {
  known_.clear();
  std::vector<PeLoad> given;
  for (const auto& [pe, seconds] : std::exchange(given_, {})) given.push_back({pe, seconds});
  table_.find_part<Balancing>()->gossip_ends(std::exchange(orders_, {}), std::move(given));
}

// --- who has less

void Gossip::consider(std::uint32_t step, const PeLoad& giver, std::vector<Offer> offers) {
  if (step != terms_.step) return early_.push_back({giver, std::move(offers)});
  judge(giver, offers);
}

void Gossip::judge(const PeLoad& giver, const std::vector<Offer>& offers) {
  std::vector<std::uint8_t> are_taken;
  for (const Offer& each : offers) {
    const double then = seconds_ + each.seconds;
    const bool is_taken = each.device_bytes <= room_ && (then <= limit() || then < giver.seconds);
    are_taken.push_back(is_taken ? 1 : 0);
    if (!is_taken) continue;
    seconds_ = then;
    room_ -= each.device_bytes;
  }
  balancing_news::decide(table_, giver.pe, {table_.pe().id(), seconds_}, std::move(are_taken));
}

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_moves.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_words.hpp"

namespace kaon::gpu {

ChannelMoves::ChannelMoves(ChannelSide& side) : side_(side), movers_(ChannelMovers::of(side.device_)) {
  movers_->add(*this);
}

ChannelMoves::~ChannelMoves() { movers_->remove(*this); }

// --- this end

void ChannelMoves::begin_here(const ChannelName& left, Position ready) {
  is_new_ = lacks_partner_ = announces_ = true;
  left_ = left;
  ready_ = ready;
  side_.device_.stream_watcher().mark(ready);
}

void ChannelMoves::begin_relay() {
  stop_sending();
  is_new_ = false;
  side_.unlink();
  relay_ = std::make_unique<ChannelRelay>(side_);
}

// A partner that has heard of this end, and of which this one has not, is told as well.
void ChannelMoves::desert() {
  is_deserted_ = true;
  stop_sending();
  if (!side_.is_partner_known() && !early_.empty()) side_.partner_name_ = early_.back().name;
  side_.leave();
}

void ChannelMoves::stop_sending() {
  if (!next_) return;
  const std::uint32_t from = side_.raised_ + 1;
  if (from != next_->from) send_connect(next_->place, from);
  side_.partner_name_ = next_->place.name;
  side_.partner_moves_ = next_->place.moves;
  next_.reset();
}

void ChannelMoves::note_connected() {
  for (const ChannelOffer& partner : std::exchange(early_, {})) take_moved(partner);
}

// Nobody reads what was held back for him.
void ChannelMoves::note_partner_ended() {
  if (relay_ != nullptr) relay_->pass_end();
  if (!is_partner_deleted()) return;
  held_.clear();
  has_landed_ = true;
  stop_sending();
}

bool ChannelMoves::is_partner_deleted() const { return side_.partner_end_ && !side_.partner_end_->is_closed; }

// --- as who sends

void ChannelMoves::take_moved(const ChannelOffer& partner) {
  if (relay_ != nullptr) return relay_->pass_moved(partner);
  if (!side_.is_partner_known()) return early_.push_back(partner);
  const std::uint32_t known = next_ ? next_->place.moves : side_.partner_moves_;
  if (partner.moves < known || (partner.moves == known && !lacks_partner_)) return;
  set_next(partner);
  if (!side_.is_closed_ && !is_deserted_ && !is_partner_deleted()) return;
  stop_sending();
  // What was told before is on its way to a place that may end before it comes.
  if (side_.has_left_) side_.tell_partner(side_.is_closed_);
}

// Kernels that were given may write one round more where the partner was, and programs may have asked where that is.
void ChannelMoves::set_next(const ChannelOffer& partner) {
  if (!next_) next_.emplace(Next{partner, side_.raised_ + (lacks_partner_ ? 1 : 2)});
  lacks_partner_ = false;
  next_->place = partner;
  send_connect(partner, next_->from);
}

void ChannelMoves::note_raised() {
  if (next_ && !is_new_ && side_.raised_ + 1 == next_->from) take_next();
}

void ChannelMoves::take_next() {
  const Next next = *std::exchange(next_, std::nullopt);
  side_.take_place(next.place);
  has_landed_ = false;
}

// The program waits for it by ready() all the same, so that it does not depend on chance whether it must.
void ChannelMoves::settle() {
  take_next();
  has_landed_ = true;
  landing_ = std::exchange(side_.partner_landing_, nullptr);
}

bool ChannelMoves::may_go_on() const { return is_new_ && (landing_ != nullptr || is_partner_deleted()); }

void ChannelMoves::go_on() {
  is_new_ = false;
  if (landing_ != nullptr) {
    side_.partner_landing_ = std::exchange(landing_, nullptr);
    return;
  }
  next_.reset();
  side_.stage("rounds of channels: the partner has ended");
}

// Rounds that are sent keep their order themselves.
bool ChannelMoves::hold(std::uint32_t round, Position position) {
  if (has_landed_) side_.device_.order().wait(*position.stream, released_);
  if (has_landed_ || side_.departure_) return false;
  side_.device_.stream_watcher().mark(position);
  held_.push_back(
      {round, position, side_.partner_arrived_, side_.partner_name_, side_.partner_moves_, side_.tells_near_});
  return true;
}

void ChannelMoves::take_landed(std::uint32_t moves) {
  release_all(moves);
  if (next_ && next_->place.moves == moves && is_new_ && landing_ == nullptr)
    settle();
  else if (side_.partner_moves_ == moves)
    has_landed_ = true;
  side_.renew_waits();
}

void ChannelMoves::release_all(std::uint32_t moves) {
  while (!held_.empty() && held_.front().moves <= moves) {
    release(held_.front());
    held_.pop_front();
  }
}

// The stream that has written the round may be given more by now, which may wait for what the partner writes behind it.
void ChannelMoves::release(const Held& held) {
  if (!order_) order_.emplace(side_.device_);
  order_->wait(held.position);
  if (!held.is_near)
    side_.device_.order().raise(*order_->here().stream, {held.flag.word, held.round});
  else if (ChannelSide* const partner = side_.table_->find(held.place.number))
    partner->take_round(held.round, order_->record());
  released_ = order_->record();
}

// --- as who receives

bool ChannelMoves::is_nobody_left() const { return is_deserted_ && side_.partner_end_; }

// What asks is news of the partner's place as well.
void ChannelMoves::take_connect(const ChannelOffer& partner, std::uint32_t from) {
  if (side_.has_closed_ || (relay_ != nullptr && relay_->is_done()))
    return say_to_channel<&tell_channel_gone>(side_.device_.pe(), partner.name, side_.name_);
  const auto known =
      std::find_if(asked_.begin(), asked_.end(), [&](const Asked& each) { return each.by.moves == partner.moves; });
  if (known != asked_.end())
    known->from = std::min(known->from, from);
  else
    asked_.push_back({partner, from});
  take_moved(partner);
}

bool ChannelMoves::answer_asked() {
  const auto answered = std::stable_partition(asked_.begin(), asked_.end(), [&](const Asked& each) {
    return !side_.is_done(each.from - 1) && !side_.is_lost(each.from - 1) && !is_nobody_left();
  });
  std::sort(answered, asked_.end(), [](const Asked& one, const Asked& other) { return one.from < other.from; });
  const std::vector<Asked> now(answered, asked_.end());
  asked_.erase(answered, asked_.end());
  for (const Asked& each : now) answer(each);
  return !now.empty();
}

// Of a later place of the partner rounds may have come already: what an older one asked comes late then.
void ChannelMoves::answer(const Asked& asked) {
  if (side_.is_done(asked.from - 1)) {
    lets_go_ = true;
    if (asked.by.moves >= side_.places_heard_) {
      side_.places_heard_ = asked.by.moves + 1;
      side_.restart_arrivals(asked.from - 1, asked.by.name.pe == side_.name_.pe);
    }
  }
  say_to_channel<&tell_channel_landed>(side_.device_.pe(), asked.by.name, side_.times_moved_);
}

// --- words, and the turns of the PE

void ChannelMoves::take_here(const ChannelOffer& to) {
  if (relay_ != nullptr) relay_->take_here(to);
}

void ChannelMoves::take_gone(const ChannelName& place) {
  std::erase_if(held_, [&](const Held& held) { return held.place == place; });
  if (side_.partner_name_ == place) has_landed_ = true;
  side_.renew_waits();
}

void ChannelMoves::take_done(bool is_partner_gone) {
  if (relay_ == nullptr) return;
  relay_->take_done(is_partner_gone);
  for (const Asked& each : std::exchange(asked_, {}))
    say_to_channel<&tell_channel_gone>(side_.device_.pe(), each.by.name, side_.name_);
  lets_go_ = true;
  is_partner_gone_ |= is_partner_gone;
  if (is_partner_gone) held_.clear();
}

void ChannelMoves::send_connect(const ChannelOffer& to, std::uint32_t from) {
  say_to_channel<&tell_channel_connect>(side_.device_.pe(), to.name, side_.offer_now(), from);
}

bool ChannelMoves::announce() {
  if (!announces_ || !ready_.is_known_reached()) return false;
  say_to_channel<&tell_channel_here>(side_.device_.pe(), *left_, side_.offer_now());
  announces_ = false;
  return true;
}

bool ChannelMoves::forget_released() {
  if (released_.stream == nullptr || !released_.is_known_reached()) return false;
  released_ = {};
  side_.renew_waits();
  return true;
}

// Of a partner who is deleted, and of one for an end that is, rounds may never come.
bool ChannelMoves::is_ending() const {
  return side_.partner_end_ && (side_.is_closed_ || is_deserted_ || is_partner_deleted());
}

bool ChannelMoves::has_all() const {
  return is_ending() && (is_nobody_left() || side_.is_done(side_.partner_end_->raised));
}

// It may have passed on words by then: the place before hears first where this one is.
bool ChannelMoves::let_go() {
  if (!left_ || announces_) return false;
  const bool is_end = relay_ == nullptr && has_all();
  if (!lets_go_ && !is_end) return false;
  const bool is_partner_gone = is_partner_gone_ || (is_end && (is_deserted_ || is_partner_deleted()));
  say_to_channel<&tell_channel_done>(side_.device_.pe(), *left_, is_partner_gone);
  left_.reset();
  return true;
}

bool ChannelMoves::look() {
  bool has_happened = announce();
  has_happened |= forget_released();
  if (!asked_.empty()) has_happened |= answer_asked();
  if (relay_ != nullptr) has_happened |= relay_->look(has_held());
  return let_go() || has_happened;
}

bool ChannelMoves::must_look() const {
  return announces_ || !asked_.empty() || released_.stream != nullptr || relay_ != nullptr || (left_ && is_ending());
}

bool ChannelMoves::is_over() const {
  if (left_ || has_held()) return false;
  if (relay_ != nullptr) return relay_->is_over();
  if (!asked_.empty()) return false;
  if (is_deserted_ || side_.is_closed_) return true;
  return !is_new_ && !next_ && has_landed_ && early_.empty();
}

}  // namespace kaon::gpu

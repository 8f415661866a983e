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
  is_new_ = true;
  announces_ = left;
  ready_ = ready;
  side_.device_.stream_watcher().mark(ready);
}

// One that was not used where it came to may not have heard of the partner.
void ChannelMoves::begin_relay() {
  const bool knows_partner = !lacks_partner();
  stop_sending();
  is_new_ = false;
  side_.unlink();
  relay_ = std::make_unique<ChannelRelay>(side_, knows_partner);
}

void ChannelMoves::desert() {
  is_deserted_ = true;
  stop_sending();
  for (const Moved& moved : early_) send_until(moved.left, side_.raised_ + 1);
  side_.leave();
}

void ChannelMoves::stop_sending() {
  if (!next_) return;
  const std::uint32_t from = side_.raised_ + 1;
  if (from != next_->from) {
    for (const ChannelName& left : next_->lefts) send_until(left, from);
    send_connect(next_->place, from);
  }
  note_use(*next_, from);
  side_.partner_name_ = next_->place.name;
  side_.partner_moves_ = next_->place.moves;
  next_.reset();
}

void ChannelMoves::note_connected() {
  for (const Moved& moved : std::exchange(early_, {})) take_moved(moved.partner, moved.left);
}

// Nobody reads what was held back for him.
void ChannelMoves::note_partner_ended() {
  if (relay_ != nullptr) relay_->pass_end();
  if (side_.partner_end_->is_closed) return;
  held_.clear();
  has_landed_ = true;
}

// --- as who sends

void ChannelMoves::take_moved(const ChannelOffer& partner, const ChannelName& left) {
  if (relay_ != nullptr) return relay_->pass_moved(partner, left);
  if (!side_.is_partner_known()) return early_.push_back({partner, left});
  const std::uint32_t known = next_ ? next_->place.moves : side_.partner_moves_;
  const bool is_newer = partner.moves > known || lacks_partner();
  if (is_newer) set_next(partner);
  const bool is_next = next_ && next_->place.moves == partner.moves;
  if (is_next) next_->lefts.push_back(left);
  send_until(left, is_next ? next_->from : first_round_at(partner.moves));
  if (!is_newer || (!side_.is_closed_ && !is_deserted_)) return;
  stop_sending();
  side_.tell_partner(side_.is_closed_);  // what it was told before may have been too late for where it was
}

// Kernels that were given may write one round more where the partner was, and programs may have asked where that is.
void ChannelMoves::set_next(const ChannelOffer& partner) {
  if (!next_) next_.emplace(Next{partner, side_.raised_ + (lacks_partner() ? 1 : 2)});
  next_->place = partner;
  send_connect(partner, next_->from);
}

void ChannelMoves::note_use(const Next& next, std::uint32_t from) {
  constexpr std::size_t kMost = 16;  // what is said of an older place has come by then
  if (side_.uses_.size() == kMost) side_.uses_.erase(side_.uses_.begin());
  side_.uses_.push_back({next.place.moves, from});
}

// Where the partner was after so many moves, or later.
std::uint32_t ChannelMoves::first_round_at(std::uint32_t moves) const {
  std::uint32_t first = side_.raised_ + 1;
  for (const ChannelPlaceUse& use : side_.uses_)
    if (use.moves >= moves) first = std::min(first, use.from);
  return first;
}

void ChannelMoves::note_raised() {
  if (next_ && !is_new_ && side_.raised_ + 1 == next_->from) take_next();
}

void ChannelMoves::take_next() {
  const Next next = *std::exchange(next_, std::nullopt);
  note_use(next, next.from);
  side_.take_place(next.place);
  has_landed_ = false;
}

// The program waits for it by ready() all the same, so that it does not depend on chance whether it must.
void ChannelMoves::settle() {
  take_next();
  has_landed_ = true;
  landing_ = std::exchange(side_.partner_landing_, nullptr);
}

bool ChannelMoves::may_go_on() const {
  const bool is_partner_gone = side_.partner_end_ && !side_.partner_end_->is_closed;
  return is_new_ && (landing_ != nullptr || is_partner_gone);
}

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
  if (has_landed_) side_.device_.wait(*position.stream, released_);
  if (has_landed_ || side_.departure_) return false;
  side_.device_.stream_watcher().mark(position);
  held_.push_back({round, position, side_.partner_arrived_, side_.tells_near_ ? side_.partner_name_ : ChannelName(),
                   side_.partner_moves_});
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
  if (held.near.number == 0)
    side_.device_.raise(*order_->here().stream, {held.flag.word, held.round});
  else if (ChannelSide* const partner = side_.table_->find(held.near.number))
    partner->take_round(held.round, order_->record());
  released_ = order_->record();
}

// --- as who receives

void ChannelMoves::take_connect(const ChannelOffer& partner, std::uint32_t from) {
  const auto known =
      std::find_if(asked_.begin(), asked_.end(), [&](const Asked& each) { return each.by.moves == partner.moves; });
  if (known != asked_.end())
    known->from = std::min(known->from, from);
  else
    asked_.push_back({partner, from});
  if (relay_ != nullptr)
    relay_->note_partner(partner);
  else if (lacks_partner())
    set_next(partner);
}

// Of a place that the end has left, the partner may have left out what he asked before.
bool ChannelMoves::answer_asked() {
  if (relay_ != nullptr) std::erase_if(asked_, [&](const Asked& each) { return relay_->is_left_out(each.from); });
  const auto answered = std::stable_partition(asked_.begin(), asked_.end(), [&](const Asked& each) {
    return !side_.is_done(each.from - 1) && !side_.is_lost(each.from - 1) && !is_deserted_;
  });
  std::sort(answered, asked_.end(), [](const Asked& one, const Asked& other) { return one.from < other.from; });
  const std::vector<Asked> now(answered, asked_.end());
  asked_.erase(answered, asked_.end());
  for (const Asked& each : now) answer(each);
  return !now.empty();
}

// A later place of the partner may have been heard first.
void ChannelMoves::answer(const Asked& asked) {
  if (asked.by.moves >= heard_moves_ && side_.is_done(asked.from - 1)) {
    heard_moves_ = asked.by.moves;
    side_.restart_arrivals(asked.from - 1, asked.by.name.pe == side_.name_.pe);
  }
  say_to_channel<&tell_channel_landed>(side_.device_.pe(), asked.by.name, side_.times_moved_);
}

// --- words, and the turns of the PE

void ChannelMoves::take_here(const ChannelOffer& to) {
  if (relay_ != nullptr) relay_->take_here(to);
}

void ChannelMoves::take_until(std::uint32_t round, std::uint32_t moves) {
  if (relay_ != nullptr) relay_->take_until(round, moves);
}

void ChannelMoves::send_connect(const ChannelOffer& to, std::uint32_t from) {
  say_to_channel<&tell_channel_connect>(side_.device_.pe(), to.name, side_.offer_now(), from);
}

void ChannelMoves::send_until(const ChannelName& left, std::uint32_t from) {
  say_to_channel<&tell_channel_until>(side_.device_.pe(), left, from, side_.times_moved_);
}

bool ChannelMoves::announce() {
  if (!announces_ || !ready_.is_known_reached()) return false;
  say_to_channel<&tell_channel_here>(side_.device_.pe(), *announces_, side_.offer_now());
  announces_.reset();
  return true;
}

bool ChannelMoves::forget_released() {
  if (released_.stream == nullptr || !released_.is_known_reached()) return false;
  released_ = {};
  side_.renew_waits();
  return true;
}

bool ChannelMoves::look() {
  bool has_happened = announce();
  has_happened |= forget_released();
  if (!asked_.empty()) has_happened |= answer_asked();
  if (relay_ != nullptr) has_happened |= relay_->look(has_held());
  return has_happened;
}

bool ChannelMoves::is_over() const {
  if (announces_ || !asked_.empty() || has_held()) return false;
  if (relay_ != nullptr) return relay_->is_over();
  if (is_deserted_ || side_.is_closed_) return true;
  return !is_new_ && !next_ && has_landed_ && early_.empty();
}

}  // namespace kaon::gpu

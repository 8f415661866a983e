// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_relay.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_words.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

// The stream of the end that has left is another's soon, and may wait there: the memory has its next user behind the
// one here. Of the partner's rounds the last one that the end may still read is that of the number that it has raised
// itself.
ChannelRelay::ChannelRelay(ChannelSide& side) : side_(side), stream_(side.device_), next_(std::max(side.raised_, 1U)) {
  side.memory_.move_to(stream_);
  side.device_.stream_watcher().mark(side.last_raise_);
  side.device_.stream_watcher().mark(side.last_wait_);
}

ChannelRelay::~ChannelRelay() {
  if (this_pe_or_null() != &side_.device_.pe()) return;
  try {
    if (is_over() && !may_flag_be_raised_) these_payloads().platform().shared_flags().give_back(side_.flag_);
  } catch (...) {
    side_.device_.pe().fail(std::current_exception());
  }
}

void ChannelRelay::take_here(const ChannelOffer& to) {
  to_ = to;
  for (const ChannelOffer& moved : std::exchange(moved_, {})) pass_moved(moved);
  if (passes_end_) pass_end();
}

void ChannelRelay::take_done(bool is_partner_gone) {
  is_done_ = true;
  may_flag_be_raised_ |= is_partner_gone;
}

void ChannelRelay::pass_moved(const ChannelOffer& partner) {
  if (!to_) return moved_.push_back(partner);
  say_to_channel<&tell_channel_moved>(side_.device_.pe(), to_->name, partner);
}

void ChannelRelay::pass_end() {
  passes_end_ = !to_.has_value();
  if (passes_end_) return;
  const ChannelLastWord& end = *side_.partner_end_;
  using Tell = runtime::RemoteProcedure<&tell_channel_ended>;
  Tell::send(side_.device_.pe(), to_->name.pe, to_->name.number, side_.partner_origin_, end.raised, end.are_all_of_host,
             end.is_closed);
}

// When all that the end has raised is there: what it raises elsewhere comes behind it.
void ChannelRelay::tell_partner() {
  say_to_channel<&tell_channel_moved>(side_.device_.pe(), side_.partner_name_, *to_);
  has_told_ = true;
}

void ChannelRelay::send_round() {
  const std::size_t bytes = side_.shape_.element_bytes * side_.shape_.count;
  const Span<const std::byte> place(side_.landing() + next_ % 2 * bytes, bytes);
  send_channel_round(stream_, {to_->name, side_.partner_origin_, next_, next_}, place);
  ++next_;
}

bool ChannelRelay::look(bool has_held) {
  if (!to_) return false;
  bool has_happened = false;
  if (!has_told_ && !has_held && side_.last_raise_.is_known_reached()) {
    tell_partner();
    has_happened = true;
  }
  for (; is_next_done(); has_happened = true) send_round();
  return has_happened;
}

// Not only given: what is sent takes memory, whose next user must not wait for what streams wait for.
bool ChannelRelay::is_next_done() const {
  if (!side_.is_here(next_)) return false;
  return !side_.hears_near_ || side_.given_.place_of(next_).is_known_reached();
}

bool ChannelRelay::is_over() const { return is_done_ && has_told_ && side_.last_wait_.is_known_reached(); }

}  // namespace kaon::gpu

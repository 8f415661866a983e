// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>
#include <utility>

#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/gpu/channels/channel_words.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::gpu {
namespace {

/// For a message of the partner's, which comes from no device: partners that wait for each other are a deadlock.
struct PartnerEndWait : ChannelWait {
  static constexpr bool kIsFromOutside = false;
  explicit PartnerEndWait(ChannelSide& side) : ChannelWait(side, For::end) {}
};

}  // namespace

Task<> ChannelSide::close() {
  if (!is_partner_known()) require_connected();
  if (is_closed_) throw UsageError("close(): this end of a channel is closed already");
  is_closed_ = true;
  if (moves_ != nullptr) moves_->stop_sending();
  co_await Awaitable<ChannelWait>(*this, ChannelWait::For::all_given);
  if (by_kernels_ != nullptr) send_raised();
  co_await Awaitable<PositionWait>(device_, last_raise_);
  tell_partner(true);
  has_left_ = true;
  co_await Awaitable<PartnerEndWait>(*this);
  if (!partner_end_->is_closed)
    throw UsageError(fmt::format("close(): the partner of this channel, of PE {}, deleted its end without closing it",
                                 partner_name_.pe));
  co_await Awaitable<PositionWait>(device_, last_wait_);
  if (by_kernels_ != nullptr) std::exchange(by_kernels_, nullptr)->give_back();  // nobody looks there any more
  if (by_ != DrivenBy::host) co_return;
  // A round that was sent may come after this word, and raise a flag that is another channel's by then.
  if (partner_end_->are_all_of_host) co_await Awaitable<ChannelWait>(*this, partner_end_->raised);
  co_await Awaitable<ChannelWait>(*this, ChannelWait::For::rest);
  has_closed_ = true;
  these_payloads().platform().shared_flags().give_back(flag_);
}

void ChannelSide::tell_partner(bool is_closed) {
  runtime::RemoteProcedure<&tell_channel_ended>::send(device_.pe(), partner_name_.pe, partner_name_.number, origin_,
                                                      raised_, by_ == DrivenBy::host || departure_, is_closed);
}

// Streams that wait for what never comes are let go on: the run fails.
void ChannelSide::note_end(const ChannelName& partner, const ChannelLastWord& end) {
  if (!is_partner_known()) early_end_.emplace(partner, end);
  if (!is_partner_known() || partner != partner_origin_) return;
  partner_end_ = end;
  if (moves_ != nullptr) moves_->note_partner_ended();
  renew_waits();
  if (!is_lost(awaited_)) return;
  device_.pe().fail(std::make_exception_ptr(UsageError(lost_text(awaited_))));
  StreamState& stream = device_.streams().take();
  device_.order().raise(stream, {arrived_.word, awaited_ * partner_raises_});
  device_.streams().give_back(stream);
}

// How far a device is that drives the partner and raises our flag itself, only a flag of the host's tells.
bool ChannelSide::is_lost(std::uint32_t round) const {
  if (!partner_end_) return false;
  if (partner_end_->are_all_of_host) return !FlagWord::is_reached(partner_end_->raised, round);
  return by_ == DrivenBy::host && !has_come(round);
}

std::string ChannelSide::lost_text(std::uint32_t round) const {
  const std::string after =
      partner_end_->are_all_of_host ? fmt::format(" after its round {}", partner_end_->raised) : "";
  return fmt::format(
      "round {} of a channel never comes: the partner, of PE {}, has {} its end{}. Keep an end until the partner waits "
      "for "
      "no more of its rounds",
      round, partner_name_.pe, partner_end_->is_closed ? "closed" : "deleted", after);
}

}  // namespace kaon::gpu

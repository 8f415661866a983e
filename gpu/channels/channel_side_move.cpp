// SPDX-License-Identifier: Apache-2.0
// Ends of channels that move with their elements, and those whose partners do.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "kaon/gpu/channels/channel.hpp"
#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

void throw_channel_stays() {
  throw UsageError("a gpu::Channel goes along with a chare that moves, and is not packed into bytes");
}

void throw_no_channel() {
  throw UsageError("there is no end of a channel here: it was not made, moved elsewhere, or closed before it moved");
}

// --- the end of a side, or of its time here

void LetChannelSideGo::operator()(ChannelSide* side) const noexcept {
  std::unique_ptr<ChannelSide> owned(side);
  Pe& pe = side->device_.pe();
  if (side->is_at_rest() || this_pe_or_null() != &pe || pe.is_stopped()) return;
  ChannelMovers::of(side->device_)->keep(std::move(owned));
  side->moves_->desert();
}

ChannelLuggage ChannelSide::luggage() const {
  if (is_closed_) return {};
  if (by_ != DrivenBy::host || (is_connected() && partner_by_ != DrivenBy::host))
    throw UsageError(
        "a channel of which a device drives an end does not move with its element, as kernels hold its addresses: both "
        "sides close() it, and make one anew");
  if (!is_partner_known())
    throw UsageError("an end of a channel that is not connected does not move with its element: connect() it before");
  const std::uint32_t read = raised_ > 0 ? raised_ - 1 : 0;
  const std::uint32_t last = FlagWord::is_reached(awaited_, read) ? awaited_ : read;
  if (!is_here(last) && !is_lost(last))
    throw UsageError(fmt::format(
        "an end of a channel moves with its element while a stream waits for the partner's round {}: co_await "
        "stream.drained() before",
        last));
  const ChannelOffer* const next = moves_ != nullptr ? moves_->next_place() : nullptr;
  return {name_,
          origin_,
          times_moved_ + 1,
          shape_,
          raised_,
          next != nullptr ? next->name : partner_name_,
          partner_origin_,
          next != nullptr ? next->moves : partner_moves_,
          partner_end_};
}

void ChannelSide::leave_behind(OwnedChannelSide side) {
  if (side->is_closed_) return;
  std::unique_ptr<ChannelSide> left(side.release());
  left->has_left_ = true;
  left->moves().begin_relay();
  const auto movers = ChannelMovers::of(left->device_);
  movers->keep(std::move(left));
}

// --- the one that goes on in its place

ChannelSide::ChannelSide(const ChannelLuggage& luggage, Stream& stream)
    : ChannelSide(luggage.shape, 1, DrivenBy::host, stream) {
  origin_ = luggage.origin;
  times_moved_ = luggage.moves;
  raised_ = luggage.raised;
  partner_name_ = luggage.partner;
  partner_origin_ = luggage.partner_origin;
  partner_moves_ = luggage.partner_moves;
  partner_end_ = luggage.partner_end;
  partner_raises_ = 1;
  partner_by_ = DrivenBy::host;
  if (raised_ > 0) restart_arrivals(raised_ - 1, false);
  moves().begin_here(luggage.left, stream.here());
}

// --- both

ChannelMoves& ChannelSide::moves() {
  if (moves_ == nullptr) moves_ = std::make_unique<ChannelMoves>(*this);
  return *moves_;
}

void ChannelSide::end_moves() {
  moves_.reset();
  renew_waits();
}

// All rounds up to that one have come; who looks at the flag sees it too.
void ChannelSide::restart_arrivals(std::uint32_t after, bool hears_near) {
  const std::atomic_ref<std::uint32_t> flag(*arrived_.word);
  if (!FlagWord::is_reached(flag.load(std::memory_order_acquire), after)) flag.store(after, std::memory_order_release);
  arrivals_after_ = after;
  if (arrival_) arrival_->begin_after(after);
  given_.begin_after(after);
  hears_near_ = hears_near;
  renew_waits();
}

void ChannelSide::renew_waits() {
  for (ChannelWait* wait : waiting_) {
    if (wait->awaited) watch_->remove(*wait->awaited);
    wait->awaited.reset();
    if (wait->is_ready())
      wait->waiter().resume_soon();
    else
      look_at_flag(*wait);
  }
}

void ChannelSide::look_at_flag(ChannelWait& wait) {
  if (!wait.is_for_round() || hears_near_) return;
  if (!is_connected() && !is_closed_ && (moves_ == nullptr || !moves_->may_go_on())) return;
  wait.awaited.emplace(FlagWatch::Awaited{arrived_, wait.round() * partner_raises_, &wait.waiter()});
  watch_->add(*wait.awaited);
}

}  // namespace kaon::gpu

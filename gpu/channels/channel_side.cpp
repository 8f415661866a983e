// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/resident/device/awaiting_tasks.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::gpu {
namespace {

SharedFlags& shared_flags_here() { return these_payloads().platform().shared_flags(); }

}  // namespace

ChannelSide::ChannelSide(const ChannelShape& shape, std::uint32_t raises, DrivenBy by, Stream& stream)
    : device_(stream.device()), shape_(shape), raises_(raises), by_(by), memory_(bytes_of(shape), stream) {
  if (shape.count == 0 || raises == 0)
    throw UsageError("a channel carries at least one element, and its flag is raised");
  stream.fill(memory_.span(), 0);
  arrived_ = flag_at(memory_.data());
  if (by == DrivenBy::host) {
    flag_ = shared_flags_here().take();
    arrived_.word = shared_flags_here().open(flag_);
    watch_ = FlagWatch::of(device_);
    watch_->add_flag();
  }
  table_ = ChannelTable::of(device_);
  name_ = origin_ = {device_.pe().id(), table_->add(*this)};
}

// A flag in memory of the host stays the partner's, who may still raise it, unless both have closed the channel.
ChannelSide::~ChannelSide() {
  table_->remove(name_.number);
  if (watch_ != nullptr) watch_->remove_flag();
  if (known_by_ != nullptr) known_by_->partner_here_ = nullptr;
  unlink();
  if (this_pe_or_null() == &device_.pe()) leave();
  if (by_kernels_ != nullptr) by_kernels_->end();
}

void ChannelSide::leave() noexcept {
  try {
    if (by_kernels_ != nullptr) send_raised();
    if (departure_) departure_->keep_until(last_raise_);
    if (arrival_) device_.order().wait(*memory_.memory().stream(), arrival_->stream().here());
    if (!has_left_) is_closed_ = false;  // it has not got so far, and is deleted
    if (is_partner_known() && !has_left_ && !device_.pe().is_stopped()) tell_partner(false);
    has_left_ = true;
  } catch (...) {
    device_.pe().fail(std::current_exception());
  }
}

void ChannelSide::move_to(Stream& stream) {
  memory_.move_to(stream);
  if (departure_) departure_->move_to(stream);
}

std::uint64_t ChannelSide::bytes_of(const ChannelShape& shape) {
  if (shape.count > (std::numeric_limits<std::uint64_t>::max() / 2 - kFlagBytes) / 2 / shape.element_bytes)
    throw UsageError(fmt::format("a channel for {} elements of {} bytes a round: no memory is so large", shape.count,
                                 shape.element_bytes));
  return kFlagBytes + 2 * shape.element_bytes * shape.count;
}

// --- what may be asked of it

void ChannelSide::require_connected() const {
  if (!is_connected() && is_partner_known())
    throw UsageError(
        "this end of a channel has moved with its element: co_await ready() before end(), wait(), raise()");
  if (!is_connected()) throw UsageError("this end of a channel is not connected: connect(offer of the partner)");
}

AwaitedFlag ChannelSide::awaited() const {
  require_connected();
  return {arrived_, partner_raises_, scope_};
}

void ChannelSide::require_open(const char* what) const {
  require_connected();
  if (is_closed_) throw UsageError(fmt::format("{}: this end of a channel is closed", what));
}

void ChannelSide::require_awaitable(const char* what) const {
  if (!is_partner_known() || is_closed_) require_open(what);
  if (by_ != DrivenBy::host)
    throw UsageError(
        fmt::format("{}: tasks wait at ends of channels that are made with DrivenBy::host; of this one the "
                    "flag lies in the device's memory, for its kernels",
                    what));
}

// --- rounds that the host drives

std::uint32_t ChannelSide::raise(Stream& stream) {
  require_open("raise()");
  ++raised_;
  Position position = stream.here();
  if (moves_ == nullptr || !moves_->hold(raised_, position)) [[likely]]
    give_round(stream, position);
  last_raise_ = position;
  if (moves_ != nullptr) [[unlikely]]
    moves_->note_raised();
  return raised_;
}

void ChannelSide::give_round(Stream& stream, Position& position) {
  if (tells_near_) return give_near(raised_, position);
  if (departure_)
    departure_->send(stream, sent_round());
  else if (!partner_end_ || (partner_by_ == DrivenBy::host && partner_end_->is_closed))  // who still waits for it
    device_.order().raise(*position.stream, {partner_arrived_.word, raised_ * raises_});
  position.count = position.stream->submitted;
}

void ChannelSide::give_near(std::uint32_t round, Position position) {
  if (partner_here_ == nullptr) return;
  device_.stream_watcher().mark(position);
  partner_here_->take_round(round, position);
}

void ChannelSide::take_round(std::uint32_t round, Position position) {
  given_.add(round, position);
  if (FlagWord::is_reached(awaited_, round)) device_.order().raise(*position.stream, {arrived_.word, round});
  for (ChannelWait* wait : waiting_)
    if (wait->is_for_round() && has_come(wait->round())) wait->waiter().resume_soon();
}

void ChannelSide::take_payload(const ChannelName& partner, std::uint32_t number, ChannelArrival::Round round) {
  if (is_partner_known() && partner != partner_origin_) return;
  if (!arrival_) arrival_.emplace(device_, landing(), arrived_.word, by_, arrivals_after_);
  arrival_->take(number, std::move(round));
}

// What kernels have written before they raised the word is seen by what reads it from now on.
bool ChannelSide::send_raised() {
  if (device_.pe().is_stopped()) return false;
  const std::uint32_t before = raised_, value = value_of(partner_arrived_);
  while (FlagWord::is_reached(value, (raised_ + 1) * raises_)) {
    ++raised_;
    departure_->send_written(sent_round());
  }
  return raised_ != before;
}

void ChannelSide::wait(Stream& stream, std::uint32_t round) {
  require_open("wait()");
  if (is_lost(round)) throw UsageError(lost_text(round));
  if (departure_) departure_->let_in(stream);
  Position here = stream.here();
  StreamState& state = *here.stream;
  if (hears_near_ && is_given(round)) return device_.order().wait(state, given_.place_of(round));
  device_.order().wait_flag(state, arrived_.word, round * partner_raises_);
  last_wait_ = {&state, state.submitted};
  table_->note_streams_wait();
  awaited_ = round;
}

bool ChannelSide::has_come(std::uint32_t round) const {
  if (!is_connected() && !is_closed_) [[unlikely]]
    return moves_ != nullptr && moves_->may_go_on() && is_here(round);
  return is_here(round);
}

bool ChannelSide::is_here(std::uint32_t round) const {
  if (hears_near_) return is_given(round);
  return FlagWord::is_reached(value_of(arrived_), round * partner_raises_);
}

bool ChannelSide::is_over(const ChannelWait& wait) const {
  switch (wait.what()) {
    case ChannelWait::For::end:
      return partner_end_.has_value();
    case ChannelWait::For::all_given:
      return moves_ == nullptr || !moves_->has_held();
    case ChannelWait::For::rest:
      return is_at_rest();
    case ChannelWait::For::round:
      break;
  }
  return has_come(wait.round()) || is_lost(wait.round());
}

void ChannelSide::begin(ChannelWait& wait) {
  waiting_.push_back(&wait);
  look_at_flag(wait);
}

void ChannelSide::give_up(ChannelWait& wait) noexcept {
  std::erase(waiting_, &wait);
  if (wait.awaited) watch_->remove(*wait.awaited);
}

void ChannelSide::follow(Stream& stream, std::uint32_t round) {
  if (is_lost(round)) throw UsageError(lost_text(round));
  if (!is_connected()) [[unlikely]]
    moves_->go_on();
  if (departure_) departure_->let_in(stream);
  if (hears_near_) device_.order().wait(*stream.here().stream, given_.place_of(round));
}

std::string ChannelSide::describe() const { return fmt::format("a channel with PE {}", partner_name_.pe); }

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::gpu {
namespace {

bool is_on_this_device(const SegmentRange& range) {
  Device& device = this_device();
  return range.process() == device.pe().process().seat().process && range.device() == device.number();
}

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
  name_ = {device_.pe().id(), table_->add(*this)};
}

// A flag in memory of the host stays the partner's, who may still raise it, unless both have closed the channel.
ChannelSide::~ChannelSide() {
  table_->remove(number());
  if (watch_ != nullptr) watch_->remove_flag();
  if (known_by_ != nullptr) known_by_->partner_here_ = nullptr;
  if (partner_here_ != nullptr) partner_here_->known_by_ = nullptr;
  if (this_pe_or_null() == &device_.pe()) leave();
  if (by_kernels_ != nullptr) by_kernels_->end();
}

void ChannelSide::leave() noexcept {
  try {
    if (by_kernels_ != nullptr) send_raised();
    if (departure_) departure_->keep_until(last_raise_);
    if (arrival_) device_.wait(*memory_.memory().stream(), arrival_->stream().here());
    if (is_connected() && !is_closed_ && !device_.pe().is_stopped()) tell_partner(false);
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

// --- connection

// The partner may write as soon as he has it.
Task<ChannelOffer> ChannelSide::offer(Stream& stream) {
  co_await stream.drained();
  co_return ChannelOffer{name_, share_segment(memory_), flag_, shape_, raises_, by_};
}

void ChannelSide::connect(const ChannelOffer& partner) {
  check(partner);
  const bool is_driven_by_hosts = by_ == DrivenBy::host && partner.by == DrivenBy::host;
  if (partner.name.pe == name_.pe && is_driven_by_hosts) meet(partner);
  const std::string why = why_staged(partner);
  if (!why.empty())
    stage(why);
  else
    map(partner);
  partner_name_ = partner.name;
  partner_raises_ = partner.raises;
  partner_by_ = partner.by;
  const bool is_by_device = by_ == DrivenBy::device && partner.by == DrivenBy::device;
  scope_ = is_by_device && is_on_this_device(partner.memory) ? Scope::device : Scope::system;
}

std::string ChannelSide::why_staged(const ChannelOffer& partner) {
  if (partner.name.pe == name_.pe) return {};
  const bool is_in_process = partner.memory.process() == device_.pe().process().seat().process;
  if (these_payloads().platform().engine_settings().stages_all && !is_in_process)
    return "rounds of channels: --transport staged was asked for";
  try {
    (void)open_segment<std::byte>(partner.memory);
  } catch (const GpuError&) {
    return "rounds of channels: the partner's memory is out of reach of the device";
  }
  return {};
}

void ChannelSide::map(const ChannelOffer& partner) {
  std::byte* const memory = open_segment<std::byte>(partner.memory).data();
  partner_arrived_ = partner.by == DrivenBy::host ? FlagWord{shared_flags_here().open(partner.flag)} : flag_at(memory);
  partner_landing_ = memory + kFlagBytes;
}

void ChannelSide::stage(const std::string& why) {
  const auto kind = by_ == DrivenBy::host ? StreamMemory::Kind::device : StreamMemory::Kind::pinned;
  partner_landing_ = departure_.emplace(device_, kind, shape_.element_bytes * shape_.count, why).places();
  if (by_ == DrivenBy::host) return;
  departure_->let_kernels_in();
  by_kernels_ = RaisedRounds::of(device_, *this);
  partner_arrived_ = by_kernels_->flag();
}

void ChannelSide::check(const ChannelOffer& partner) const {
  if (is_connected()) throw UsageError("this end of a channel is connected; each pair of partners makes its own");
  if (partner.shape.element_bytes != shape_.element_bytes || partner.shape.count != shape_.count)
    throw UsageError(fmt::format(
        "the two ends of a channel carry the same: here {} elements of {} bytes a round, at the partner's {} of {}",
        shape_.count, shape_.element_bytes, partner.shape.count, partner.shape.element_bytes));
  if (partner.shape.type != shape_.type)
    throw UsageError(
        fmt::format("the two ends of a channel carry elements of one type: here and at the partner's, of PE {}, "
                    "they are of {} bytes, but of different types",
                    partner.name.pe, shape_.element_bytes));
  if (partner.name == name_)
    throw UsageError("an end of a channel is connected with itself: connect() takes the offer of the partner");
  if (early_end_ && early_end_->first == partner.name)
    throw UsageError(
        fmt::format("the partner of a channel, of PE {}, was deleted before this end was connected", partner.name.pe));
}

void ChannelSide::meet(const ChannelOffer& partner) {
  ChannelSide* const side = table_->find(partner.name.number);
  if (side == nullptr)
    throw UsageError("the partner of a channel, of this PE, was deleted before this end was connected");
  if (side->known_by_ != nullptr)
    throw UsageError("two ends of channels are connected by the offer of one; each pair of partners makes its own");
  side->known_by_ = this;
  partner_here_ = side;
  is_near_ = true;
}

void ChannelSide::require_connected() const {
  if (!is_connected()) throw UsageError("this end of a channel is not connected: connect(offer of the partner)");
}

void ChannelSide::require_open(const char* what) const {
  require_connected();
  if (is_closed_) throw UsageError(fmt::format("{}: this end of a channel is closed", what));
}

void ChannelSide::require_driven_by_host(const char* what) const {
  require_open(what);
  if (by_ != DrivenBy::host)
    throw UsageError(
        fmt::format("{}: tasks wait at ends of channels that are made with DrivenBy::host; of this one the "
                    "flag lies in the device's memory, for its kernels",
                    what));
}

// --- rounds that the host drives

std::uint32_t ChannelSide::raise(Stream& stream) {
  require_open("raise()");
  const std::uint32_t round = ++raised_;
  Position position = stream.here();
  if (!is_near_) {
    if (departure_)
      departure_->send(stream, round, round * raises_, name_, partner_name_);
    else if (!partner_end_ || partner_by_ == DrivenBy::host)  // who has closed still waits for it
      device_.raise(*position.stream, {partner_arrived_.word, round * raises_});
    position.count = position.stream->submitted;
  } else if (partner_here_ != nullptr) {
    device_.stream_watcher().mark(position);
    partner_here_->take_round(round, position);
  }
  last_raise_ = position;
  return round;
}

void ChannelSide::take_round(std::uint32_t round, Position position) {
  given_.add(round, position);
  if (FlagWord::is_reached(awaited_, round)) device_.raise(*position.stream, {arrived_.word, round});
  for (ChannelWait* wait : waiting_)
    if (wait->is_for_round() && has_come(wait->round())) wait->waiter().resume_soon();
}

void ChannelSide::take_payload(const ChannelName& partner, std::uint32_t number, ChannelArrival::Round round) {
  if (is_connected() && partner != partner_name_) return;
  if (!arrival_) arrival_.emplace(device_, landing(), arrived_.word, by_);
  arrival_->take(number, std::move(round));
}

// What kernels have written before they raised the word is seen by what reads it from now on.
bool ChannelSide::send_raised() {
  if (device_.pe().is_stopped()) return false;
  const std::uint32_t before = raised_, value = value_of(partner_arrived_);
  while (FlagWord::is_reached(value, (raised_ + 1) * raises_)) {
    ++raised_;
    departure_->send_written(raised_, raised_ * raises_, name_, partner_name_);
  }
  return raised_ != before;
}

void ChannelSide::wait(Stream& stream, std::uint32_t round) {
  require_open("wait()");
  if (is_lost(round)) throw UsageError(lost_text(round));
  if (departure_) departure_->let_in(stream);
  Position here = stream.here();
  StreamState& state = *here.stream;
  if (is_near_ && is_here(round)) return device_.wait(state, given_.place_of(round));
  device_.launch_held(state);
  device_.driver().make_current(device_.number());
  device_.driver().wait_flag(arrived_.word, round * partner_raises_, state.native);
  last_wait_ = {&state, ++state.submitted};
  awaited_ = round;
}

bool ChannelSide::has_come(std::uint32_t round) const {
  if (is_near_) return is_here(round);
  return FlagWord::is_reached(value_of(arrived_), round * partner_raises_);
}

void ChannelSide::begin(ChannelWait& wait) {
  waiting_.push_back(&wait);
  if (!wait.is_for_round() || is_near_) return;
  wait.awaited.emplace(FlagWatch::Awaited{arrived_, wait.round() * partner_raises_, &wait.waiter()});
  watch_->add(*wait.awaited);
}

void ChannelSide::give_up(ChannelWait& wait) noexcept {
  std::erase(waiting_, &wait);
  if (wait.awaited) watch_->remove(*wait.awaited);
}

void ChannelSide::follow(Stream& stream, std::uint32_t round) {
  if (is_lost(round)) throw UsageError(lost_text(round));
  if (departure_) departure_->let_in(stream);
  if (is_near_) device_.wait(*stream.here().stream, given_.place_of(round));
}

std::string ChannelSide::describe() const { return fmt::format("a channel with PE {}", partner_name_.pe); }

}  // namespace kaon::gpu

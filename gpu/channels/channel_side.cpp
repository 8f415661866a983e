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

void tell_channel_ended(Pe& pe, std::uint32_t number, ChannelName partner, std::uint32_t raised, bool is_closed) {
  const auto table = ChannelTable::of(static_cast<DevicePayloads&>(pe.accelerator()).device());
  if (ChannelSide* const side = table->find(number)) side->note_end(partner, {raised, is_closed});
}

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
  if (this_pe_or_null() != &device_.pe()) return;
  try {
    if (departure_) departure_->keep_until(last_raise_);
    if (arrival_) memory_.move_to(arrival_->stream());
    if (is_connected() && !is_closed_ && !device_.pe().is_stopped()) tell_partner(false);
  } catch (...) {
    device_.pe().fail(std::current_exception());
  }
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
    partner_landing_ = departure_.emplace(device_, shape_.element_bytes * shape_.count, why).places();
  else
    map(partner);
  partner_name_ = partner.name;
  partner_raises_ = partner.raises;
  partner_by_ = partner.by;
  const bool is_by_device = by_ == DrivenBy::device && partner.by == DrivenBy::device;
  scope_ = is_by_device && is_on_this_device(partner.memory) ? Scope::device : Scope::system;
}

// Kernels that raise a flag themselves cannot stage.
std::string ChannelSide::why_staged(const ChannelOffer& partner) {
  if (by_ == DrivenBy::device || partner.name.pe == name_.pe) return {};
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
      departure_->send(stream, round, name_, partner_name_);
    else if (!partner_end_)
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

void ChannelSide::take_payload(const ChannelName& partner, std::uint32_t round, runtime::Payload<std::byte> values) {
  if (is_connected() && partner != partner_name_) return;
  if (!arrival_) arrival_.emplace(device_, landing(), arrived_.word);
  arrival_->take(round, std::move(values));
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

// --- the end

Task<> ChannelSide::close() {
  require_connected();
  if (is_closed_) throw UsageError("close(): this end of a channel is closed already");
  is_closed_ = true;
  co_await Awaitable<PositionWait>(device_, last_raise_);
  tell_partner(true);
  co_await Awaitable<ChannelWait>(*this);
  if (!partner_end_->is_closed)
    throw UsageError(fmt::format("close(): the partner of this channel, of PE {}, deleted its end without closing it",
                                 partner_name_.pe));
  co_await Awaitable<PositionWait>(device_, last_wait_);
  if (by_ != DrivenBy::host) co_return;
  // A round that was sent may come after this word, and raise a flag that is another channel's by then.
  if (partner_by_ == DrivenBy::host) co_await Awaitable<ChannelWait>(*this, partner_end_->raised);
  shared_flags_here().give_back(flag_);
}

void ChannelSide::tell_partner(bool is_closed) {
  runtime::RemoteProcedure<&tell_channel_ended>::send(device_.pe(), partner_name_.pe, partner_name_.number, name_,
                                                      raised_, is_closed);
}

// Streams that wait for what never comes are let go on: the run fails.
void ChannelSide::note_end(const ChannelName& partner, const End& end) {
  if (!is_connected()) early_end_.emplace(partner, end);
  if (!is_connected() || partner != partner_name_) return;
  partner_end_ = end;
  for (ChannelWait* wait : waiting_) {
    if (wait->is_for_round() && !is_lost(wait->round())) continue;
    if (wait->awaited) watch_->remove(*wait->awaited);
    wait->waiter().resume_soon();
  }
  if (!is_lost(awaited_)) return;
  device_.pe().fail(std::make_exception_ptr(UsageError(lost_text(awaited_))));
  StreamState& stream = device_.take_stream();
  device_.raise(stream, {arrived_.word, awaited_ * partner_raises_});
  device_.give_back(stream);
}

// How far a device is that drives the partner, only a flag of the host's tells.
bool ChannelSide::is_lost(std::uint32_t round) const {
  if (!partner_end_) return false;
  if (partner_by_ == DrivenBy::host) return !FlagWord::is_reached(partner_end_->raised, round);
  return by_ == DrivenBy::host && !has_come(round);
}

std::string ChannelSide::lost_text(std::uint32_t round) const {
  const std::string after =
      partner_by_ == DrivenBy::host ? fmt::format(" after its round {}", partner_end_->raised) : "";
  return fmt::format(
      "round {} of a channel never comes: the partner, of PE {}, has {} its end{}. Keep an end until the partner waits "
      "for "
      "no more of its rounds",
      round, partner_name_.pe, partner_end_->is_closed ? "closed" : "deleted", after);
}

}  // namespace kaon::gpu

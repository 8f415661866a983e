// SPDX-License-Identifier: Apache-2.0
// Where the partner of an end of a channel is, and how rounds get there.
#include <fmt/format.h>

#include <string>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

bool is_on_this_device(const SegmentRange& range) {
  Device& device = this_device();
  return range.process() == device.pe().process().seat().process && range.device() == device.number();
}

}  // namespace

// The partner may write as soon as he has it.
Task<ChannelOffer> ChannelSide::offer(Stream& stream) {
  co_await stream.drained();
  co_return offer_now();
}

ChannelOffer ChannelSide::offer_now() const {
  return {name_, share_segment(memory_), flag_, shape_, raises_, by_, origin_, times_moved_};
}

void ChannelSide::connect(const ChannelOffer& partner) {
  check(partner);
  partner_raises_ = partner.raises;
  partner_by_ = partner.by;
  partner_origin_ = partner.origin;
  take_place(partner);
  hears_near_ = tells_near_;
  places_heard_ = partner.moves + 1;
  if (moves_ != nullptr) moves_->note_connected();
  if (early_end_ && early_end_->first == partner_origin_) note_end(partner_origin_, early_end_->second);
}

void ChannelSide::take_place(const ChannelOffer& partner) {
  unlink();
  const std::string why = why_staged(partner);
  tells_near_ = partner.name.pe == name_.pe && by_ == DrivenBy::host && partner_by_ == DrivenBy::host;
  if (!why.empty())
    stage(why);
  else if (tells_near_ && !meet(partner))
    stage("rounds of channels: the partner has ended");
  else
    map(partner);
  partner_name_ = partner.name;
  partner_moves_ = partner.moves;
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
  if (departure_) departure_->keep_until(last_raise_);
  departure_.reset();
  std::byte* const memory = open_segment<std::byte>(partner.memory).data();
  partner_arrived_ = partner.by == DrivenBy::host
                         ? FlagWord{these_payloads().platform().shared_flags().open(partner.flag)}
                         : flag_at(memory);
  partner_landing_ = memory + kFlagBytes;
}

void ChannelSide::stage(const std::string& why) {
  if (departure_) return;  // to where the partner was before
  const auto kind = by_ == DrivenBy::host ? StreamMemory::Kind::device : StreamMemory::Kind::pinned;
  partner_landing_ = departure_.emplace(device_, kind, shape_.element_bytes * shape_.count, why).places();
  if (by_ == DrivenBy::host) return;
  departure_->let_kernels_in();
  by_kernels_ = RaisedRounds::of(device_, *this);
  partner_arrived_ = by_kernels_->flag();
}

void ChannelSide::check(const ChannelOffer& partner) const {
  if (is_partner_known()) throw UsageError("this end of a channel is connected; each pair of partners makes its own");
  if (partner.shape.element_bytes != shape_.element_bytes || partner.shape.count != shape_.count)
    throw UsageError(fmt::format(
        "the two ends of a channel carry the same: here {} elements of {} bytes a round, at the partner's {} of {}",
        shape_.count, shape_.element_bytes, partner.shape.count, partner.shape.element_bytes));
  if (partner.shape.type != shape_.type)
    throw UsageError(
        fmt::format("the two ends of a channel carry elements of one type: here and at the partner's, of PE {}, "
                    "they are of {} bytes, but of different types",
                    partner.name.pe, shape_.element_bytes));
  if (partner.origin == origin_)
    throw UsageError("an end of a channel is connected with itself: connect() takes the offer of the partner");
  if (early_end_ && early_end_->first == partner.origin && !early_end_->second.is_closed)
    throw UsageError(
        fmt::format("the partner of a channel, of PE {}, was deleted before this end was connected", partner.name.pe));
  if (partner.name.pe == name_.pe && by_ == DrivenBy::host && partner.by == DrivenBy::host) check_near(partner);
}

void ChannelSide::check_near(const ChannelOffer& partner) const {
  const ChannelSide* const side = table_->find(partner.name.number);
  if (side == nullptr)
    throw UsageError("the partner of a channel, of this PE, was deleted before this end was connected");
  if (side->known_by_ != nullptr)
    throw UsageError("two ends of channels are connected by the offer of one; each pair of partners makes its own");
}

// False: it has ended meanwhile.
bool ChannelSide::meet(const ChannelOffer& partner) {
  partner_here_ = table_->find(partner.name.number);
  if (partner_here_ != nullptr) partner_here_->known_by_ = this;
  return partner_here_ != nullptr;
}

void ChannelSide::unlink() noexcept {
  if (partner_here_ != nullptr) partner_here_->known_by_ = nullptr;
  partner_here_ = nullptr;
}

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel.hpp"

#include <fmt/format.h>

#include <limits>

#include "kaon/gpu/platform/device_payloads.hpp"
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

ChannelMemory::ChannelMemory(std::uint64_t element_bytes, std::uint64_t count, std::uint32_t raises, Stream& stream)
    : element_bytes_(element_bytes), count_(count), raises_(raises), memory_(bytes_of(element_bytes, count), stream) {
  if (count == 0 || raises == 0) throw UsageError("a channel carries at least one element, and its flag is raised");
  stream.fill(memory_.span(), 0);
}

std::uint64_t ChannelMemory::bytes_of(std::uint64_t element_bytes, std::uint64_t count) {
  if (count > (std::numeric_limits<std::uint64_t>::max() / 2 - kFlagBytes) / 2 / element_bytes)
    throw UsageError(
        fmt::format("a channel for {} elements of {} bytes a round: no memory is so large", count, element_bytes));
  return kFlagBytes + 2 * element_bytes * count;
}

// The partner may write as soon as he has it.
Task<ChannelOffer> ChannelMemory::offer(Stream& stream) {
  co_await stream.drained();
  co_return ChannelOffer{share_segment(memory_), element_bytes_, count_, raises_};
}

void ChannelMemory::connect(const ChannelOffer& partner) {
  if (partner_ != nullptr) throw UsageError("this end of a channel is connected; each pair of partners makes its own");
  if (partner.element_bytes != element_bytes_ || partner.count != count_)
    throw UsageError(fmt::format(
        "the two ends of a channel carry the same: here {} elements of {} bytes a round, at the partner's {} of {}",
        count_, element_bytes_, partner.count, partner.element_bytes));
  partner_ = open_segment<std::byte>(partner.memory).data();
  partner_raises_ = partner.raises;
  scope_ = is_on_this_device(partner.memory) ? Scope::device : Scope::system;
}

void ChannelMemory::require_connected() const {
  if (partner_ == nullptr) throw UsageError("this end of a channel is not connected: connect(offer of the partner)");
}

}  // namespace kaon::gpu

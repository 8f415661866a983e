// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_words.hpp"

#include "kaon/gpu/channels/channel_moves.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

/// nullptr: it has ended.
ChannelSide* find(Pe& pe, std::uint32_t number) {
  return ChannelTable::of(static_cast<DevicePayloads&>(pe.accelerator()).device())->find(number);
}

}  // namespace

void tell_channel_ended(Pe& pe, std::uint32_t number, ChannelName partner, std::uint32_t raised, bool are_all_of_host,
                        bool is_closed) {
  if (ChannelSide* const side = find(pe, number)) side->note_end(partner, {raised, are_all_of_host, is_closed});
}

void tell_channel_here(Pe& pe, std::uint32_t number, ChannelOffer to) {
  if (ChannelSide* const side = find(pe, number)) side->moves().take_here(to);
}

void tell_channel_moved(Pe& pe, std::uint32_t number, ChannelOffer to) {
  if (ChannelSide* const side = find(pe, number)) side->moves().take_moved(to);
}

void tell_channel_connect(Pe& pe, std::uint32_t number, ChannelOffer by, std::uint32_t from) {
  if (ChannelSide* const side = find(pe, number)) return side->moves().take_connect(by, from);
  say_to_channel<&tell_channel_gone>(pe, by.name, ChannelName{pe.id(), number});
}

void tell_channel_landed(Pe& pe, std::uint32_t number, std::uint32_t moves) {
  if (ChannelSide* const side = find(pe, number)) side->moves().take_landed(moves);
}

void tell_channel_gone(Pe& pe, std::uint32_t number, ChannelName place) {
  if (ChannelSide* const side = find(pe, number)) side->moves().take_gone(place);
}

void tell_channel_done(Pe& pe, std::uint32_t number, bool is_partner_gone) {
  if (ChannelSide* const side = find(pe, number)) side->moves().take_done(is_partner_gone);
}

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::runtime {
class Pe;
}

/// Messages between ends of channels, each to the end of a number on its PE. Messages about moves are counted: a run at
/// quiescence has none in flight.
namespace kaon::gpu {

void tell_channel_ended(Pe& pe, std::uint32_t number, ChannelName partner, std::uint32_t raised, bool are_all_of_host,
                        bool is_closed);
/// To the place that an end has left: where it is now.
void tell_channel_here(Pe& pe, std::uint32_t number, ChannelOffer to);
/// To the partner, by the place `left`.
void tell_channel_moved(Pe& pe, std::uint32_t number, ChannelOffer to);
/// To the partner's present place: rounds from this one on are written there.
void tell_channel_connect(Pe& pe, std::uint32_t number, ChannelOffer by, std::uint32_t from);
/// The answer, by the place that the receiver has after so many moves: those before it lie there.
void tell_channel_landed(Pe& pe, std::uint32_t number, std::uint32_t moves);
/// The answer where that place is no more: nobody waits there for rounds that are held back.
void tell_channel_gone(Pe& pe, std::uint32_t number, ChannelName place);
/// To the place that an end has left, by the one behind it: all that comes after it knows a later one.
void tell_channel_done(Pe& pe, std::uint32_t number, bool is_partner_gone);

template <auto word, class... Arguments>
void say_to_channel(Pe& pe, const ChannelName& to, const Arguments&... arguments) {
  using Word = runtime::RemoteProcedure<word, runtime::Counting::counted>;
  Word::send(pe, to.pe, to.number, arguments...);
}

}  // namespace kaon::gpu

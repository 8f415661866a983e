// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/channels/channel_staging.hpp"

#include <limits>
#include <utility>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/round_behind.hpp"
#include "kaon/gpu/device/drain.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::gpu {

using runtime::Payload;

void take_channel_round(Pe& pe, std::uint32_t number, ChannelName partner, std::uint32_t round, std::uint32_t value,
                        Payload<std::byte> values) {
  const auto table = ChannelTable::of(static_cast<DevicePayloads&>(pe.accelerator()).device());
  if (ChannelSide* const side = table->find(number)) side->take_payload(partner, round, {value, std::move(values)});
}

void ChannelDeparture::let_kernels_in() {
  Device& device = stream_.device();
  Drain drain(device.driver(), device.number(), std::numeric_limits<double>::infinity());
  drain.add(ready_.stream->native);
  drain.finish();
}

void ChannelDeparture::keep_until(Position position) {
  Device& device = stream_.device();
  if (places_.data() == nullptr) return;
  if (position.stream == nullptr) return device.order().wait(*places_.stream(), stream_.here());
  runtime::PayloadRecord places;
  places_.give_to(places);
  device.memory().give_back(take_block(places, device), {position.stream, position.stream->all_given()});
}

// The copy is given away: whatever the payload waits for, kernels may write the place again.
void send_channel_round(Stream& stream, const SentRound& sent, Span<const std::byte> place) {
  Buffer<std::byte> copy(place.size(), stream);
  stream.copy(copy.span(), place);
  Payload<std::byte> values(std::move(copy), stream);
  Device& device = stream.device();
  if (ChannelTable::of(device)->has_told_streams_to_wait()) [[unlikely]]
    return RoundBehind::start(device, stream.here(), sent, std::move(values));
  send_channel_payload(device.pe(), sent, std::move(values));
}

void send_channel_payload(Pe& pe, const SentRound& sent, Payload<std::byte> values) {
  using Send = runtime::RemoteProcedure<&take_channel_round, runtime::Counting::counted>;
  Send::send(pe, sent.to.pe, sent.to.number, sent.from, sent.round, sent.value, std::move(values));
}

void ChannelDeparture::send(Stream& stream, const SentRound& sent) {
  stream.device().pe().exchange().transfers().add_fallback(runtime::Route::direct, why_, bytes_);
  send_channel_round(stream, sent, Span<const std::byte>(places_.data() + sent.round % 2 * bytes_, bytes_));
}

void ChannelArrival::take(std::uint32_t number, Round round) {
  early_.emplace(number, std::move(round));
  land_all();
}

void ChannelArrival::begin_after(std::uint32_t round) {
  if (FlagWord::is_reached(landed_, round)) return;
  landed_ = round;
  land_all();
}

void ChannelArrival::land_all() {
  for (auto next = early_.find(landed_ + 1); next != early_.end(); next = early_.find(landed_ + 1)) {
    land(next->second);
    early_.erase(next);
  }
}

void ChannelArrival::land(const Round& round) {
  const Span<const std::byte> from = round.elements.view(stream_);
  const Span<std::byte> to(places_ + ++landed_ % 2 * from.size(), from.size());
  if (by_ == DrivenBy::device) {
    Pinned<std::byte> between(from.size(), stream_);
    stream_.copy(between, from);
    stream_.copy(to, between);
  } else {
    stream_.copy(to, from);
  }
  device_.order().raise(*stream_.here().stream, {flag_, round.value});
}

}  // namespace kaon::gpu

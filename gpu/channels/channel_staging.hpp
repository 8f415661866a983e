// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/stream.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::gpu {

// Between two places of a device a driver copies by a kernel, which finds no room beside one that runs on and has all
// multiprocessors. So rounds to and from such a kernel pass through memory of the host, for which devices have engines.

/// Which round of which end is sent, and where to.
struct SentRound {
  ChannelName to;
  ChannelName from;  // the origin of the end that has raised it
  std::uint32_t round = 0;
  std::uint32_t value = 0;  // of the partner's flag when it is there
};
/// Sends what lies at `place` when `stream` gets where it is now. A copy travels, so that the place may be written
/// again by what the stream is given then.
void send_channel_round(Stream& stream, const SentRound& sent, Span<const std::byte> place);
void send_channel_payload(Pe& pe, const SentRound& sent, runtime::Payload<std::byte> values);

/// The way of rounds to a partner whose memory is out of reach: kernels write them here, and each is sent as a payload.
class ChannelDeparture {
 public:
  /// `why`: no kernel writes them there. In memory of the device, or in pinned memory.
  ChannelDeparture(Device& device, StreamMemory::Kind kind, std::size_t bytes_of_round, std::string why)
      : stream_(device),
        why_(std::move(why)),
        bytes_(bytes_of_round),
        places_(kind, 2 * bytes_of_round, stream_),
        ready_(stream_.here()) {}
  std::byte* places() const { return places_.data(); }
  /// Lets the stream's next work write there: it waits, as the memory may have been another user's until now.
  void let_in(Stream& stream) { stream.wait(ready_); }
  /// The same for kernels that run already: blocks until it is no other's.
  void let_kernels_in();
  /// The round that kernels of `stream` have written.
  void send(Stream& stream, const SentRound& sent);
  /// The round that kernels have written which say so themselves.
  void send_written(const SentRound& sent) { send(stream_, sent); }
  /// Same as ChannelSide::move_to().
  void move_to(Stream& stream) { places_.move_to(stream); }
  /// The memory has its next user behind the stream of this place, where the host drives the end, else behind what was
  /// sent. The stream here, which another has then, does not wait for it: that one may wait for flags, and a kernel
  /// that runs on has others to serve.
  void keep_until(Position position);

 private:
  Stream stream_;  // for the memory alone
  std::string why_;
  std::size_t bytes_;
  StreamMemory places_;
  Position ready_;
};

/// Rounds that come as payloads, to where kernels read them. Payloads may overtake each other; rounds must not.
class ChannelArrival {
 public:
  /// `by`: who reads them.
  /// `after`: the round before the first that comes.
  ChannelArrival(Device& device, std::byte* places, std::uint32_t* flag, DrivenBy by, std::uint32_t after)
      : device_(device), stream_(device), places_(places), flag_(flag), by_(by), landed_(after) {}
  struct Round {
    std::uint32_t value = 0;  // of the flag when it is there
    runtime::Payload<std::byte> elements;
  };
  void take(std::uint32_t number, Round round);
  /// Rounds up to this one have come another way.
  void begin_after(std::uint32_t round);
  Stream& stream() { return stream_; }

 private:
  void land_all();
  void land(const Round& round);

  Device& device_;
  Stream stream_;
  std::byte* places_;
  std::uint32_t* flag_;
  DrivenBy by_;
  std::uint32_t landed_;
  std::map<std::uint32_t, Round> early_;
};

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>

#include "kaon/gpu/channels/channel_end.hpp"
#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/gpu/resident/awaiting_tasks.hpp"

namespace kaon::gpu {

/// Memory between two chares through which kernels of theirs exchange elements in rounds, without messages: what one
/// writes lies where the other reads it, double-buffered, and a flag says that it is there (ChannelEnd). Both make an
/// end of the same size, send each other its offer, and connect() to that of the other. Where a device does not reach
/// the partner's memory, as on another host, it writes a place of its own, and the PE sends each round as a payload.
///
/// Each end is driven by its device (kernels that run on, entries: they raise end().partner_arrived and wait for
/// awaited()) or by its host: kernels are launched behind ready() or wait(), and raise() tells the partner. An end
/// stays until neither side uses the channel any more, which close() waits for.
template <class T>
class Channel {
  static_assert(std::is_trivially_copyable_v<T>,
                "Channel<T>: kernels write elements as bytes where the partner reads them, so T must be trivially "
                "copyable");

 public:
  /// For `count` elements a round, driven by the device; `raises`: how often this side raises the partner's flag in
  /// each, once by each part of a gang, say.
  Channel(std::size_t count, Stream& stream, std::uint32_t raises = 1)
      : side_(std::make_unique<ChannelSide>(shape_of(count), raises, DrivenBy::device, stream)), stream_(&stream) {}
  Channel(std::size_t count, Stream& stream, DrivenBy by)
      : side_(std::make_unique<ChannelSide>(shape_of(count), 1, by, stream)), stream_(&stream) {}

  /// For the partner's connect(). `stream` of the constructor still lives.
  Task<ChannelOffer> offer() { return side_->offer(*stream_); }
  /// Throws UsageError for an offer of another type or size and for a channel that is connected. Blocks for a moment
  /// where the device drives this end and the partner is out of reach.
  void connect(const ChannelOffer& partner) { side_->connect(partner); }
  /// For kernels. Throws UsageError before connect(), as all that follow.
  ChannelEnd<T> end() const {
    side_->require_connected();
    return {reinterpret_cast<T*>(side_->landing()),
            reinterpret_cast<T*>(side_->partner_landing()),
            side_->arrived(),
            side_->partner_arrived(),
            side_->count(),
            side_->scope()};
  }

  // --- ends that the host drives
  /// Waits until what `stream` is given next may read round `round` of the partner's, in(round), and write out(round +
  /// 1). Throws UsageError when the partner has ended before that round.
  Awaitable<ChannelWait> ready(Stream& stream, std::uint32_t round) {
    side_->require_driven_by_host("ready()");
    return Awaitable<ChannelWait>(*side_, stream, round);
  }
  /// As ready(), without the host: the stream waits. What a device does with streams that wait is limited: few of them
  /// at once, and none that waits for what is behind it.
  void wait(Stream& stream, std::uint32_t round) { side_->wait(stream, round); }
  /// One's next round is there for the partner when all is done that the stream was given. Returns its number.
  std::uint32_t raise(Stream& stream) { return side_->raise(stream); }
  /// Waits until the partner closes its end as well and what was raised has been done: then both ends may go.
  Task<> close() { return side_->close(); }

  // --- ends that the device drives
  /// For at.when(): that the round has come whose number it is given.
  AwaitedFlag awaited() const {
    side_->require_connected();
    return {side_->arrived(), side_->partner_raises(), side_->scope()};
  }
  /// After connect(): the memory goes back in the order of this stream, that of the resident scheduler whose entries
  /// use it.
  void move_to(Stream& stream) { side_->move_to(stream); }

 private:
  static ChannelShape shape_of(std::size_t count) { return {sizeof(T), count, typeid(T).hash_code()}; }

  std::unique_ptr<ChannelSide> side_;
  Stream* stream_;
};

}  // namespace kaon::gpu

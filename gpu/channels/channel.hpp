// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "kaon/gpu/channels/channel_end.hpp"
#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/gpu/channels/channel_wait.hpp"
#include "kaon/gpu/resident/device/awaiting_tasks.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

[[noreturn]] void throw_channel_stays();
[[noreturn]] void throw_no_channel();

/// Memory between two chares through which kernels of theirs exchange elements in rounds, without messages: what one
/// writes lies where the other reads it, double-buffered, and a flag says that it is there (ChannelEnd). Both make an
/// end of the same size, send each other its offer, and connect() to that of the other. Where a device does not reach
/// the partner's memory, as on another host, it writes a place of its own, and the PE sends each round as a payload.
///
/// Each end is driven by its device (kernels that run on, entries: they raise end().partner_arrived and wait for
/// awaited()) or by its host: kernels are launched behind ready() or wait(), and raise() tells the partner. An end
/// stays until neither side uses the channel any more, which close() waits for. Ends that hosts drive move with their
/// chares.
template <class T>
class Channel {
  static_assert(std::is_trivially_copyable_v<T>,
                "Channel<T>: kernels write elements as bytes where the partner reads them, so T must be trivially "
                "copyable");

 public:
  /// None yet.
  Channel() = default;
  /// For `count` elements a round, driven by the device; `raises`: how often this side raises the partner's flag in
  /// each, once by each part of a gang, say.
  Channel(std::size_t count, Stream& stream, std::uint32_t raises = 1)
      : side_(new ChannelSide(shape_of(count), raises, DrivenBy::device, stream)), stream_(&stream) {}
  Channel(std::size_t count, Stream& stream, DrivenBy by)
      : side_(new ChannelSide(shape_of(count), 1, by, stream)), stream_(&stream) {}

  /// True if there is an end.
  explicit operator bool() const { return side_ != nullptr; }

  /// For the partner's connect(). `stream` of the constructor still lives.
  Task<ChannelOffer> offer() { return side().offer(*stream_); }
  /// Throws UsageError for an offer of another type or size and for a channel that is connected. Blocks for a moment
  /// where the device drives this end and the partner is out of reach.
  void connect(const ChannelOffer& partner) { side().connect(partner); }
  /// For kernels. Throws UsageError before connect(), as all that follow.
  ChannelEnd<T> end() const { return side().template end<T>(); }

  // --- ends that the host drives
  /// Waits until what `stream` is given next may read round `round` of the partner's, in(round), and write out(round +
  /// 1). Throws UsageError when the partner has ended before that round.
  Awaitable<ChannelWait> ready(Stream& stream, std::uint32_t round) {
    side().require_awaitable("ready()");
    return Awaitable<ChannelWait>(side(), stream, round);
  }
  /// Same as ready(), without the host: the stream waits. Devices limit such waits: let few streams wait at once, and
  /// none for work that is queued behind it.
  void wait(Stream& stream, std::uint32_t round) { side().wait(stream, round); }
  /// One's next round is there for the partner when all is done that the stream was given. Returns its number.
  std::uint32_t raise(Stream& stream) { return side().raise(stream); }
  /// Waits until the partner closes its end as well and what was raised has been done: then both ends may go.
  Task<> close() { return side().close(); }

  // --- ends that the device drives
  /// For at.when(): that the round has come whose number it is given.
  AwaitedFlag awaited() const { return side().awaited(); }
  /// After connect(): the memory goes back in the order of this stream, that of the resident scheduler whose entries
  /// use it.
  void move_to(Stream& stream) { side().move_to(stream); }

  // --- both
  /// For the pup() of a chare that moves: the end goes along, between two rounds, and the partner need not know. What
  /// comes next is ready(): it waits until the two are connected again, and end() says where. Of ends that the host
  /// drives, on both sides, and that are connected; `stream` is the chare's own and made anew.
  ///
  ///     template <class Archive> void pup(Archive& archive) { archive(round_); channel_.pup_on(archive, stream_); }
  template <class Archive, std::same_as<Stream> S>
  void pup_on(Archive& archive, S& stream) {
    if constexpr (Archive::is_loading) {
      ChannelLuggage luggage;
      archive(luggage);
      *this = luggage.left.number == 0 ? Channel() : Channel(luggage, stream);
    } else if (archive.collects_payloads()) {
      if (side_ != nullptr) archive.note_device_bytes(side_->bytes());
    } else {
      archive(side_ != nullptr ? side_->luggage() : ChannelLuggage());
      if (side_ == nullptr || archive.only_counts()) return;
      if (!archive.takes_payloads()) throw_channel_stays();
      ChannelSide::leave_behind(std::move(side_));
    }
  }

  /// An end is not packed.
  template <class Archive>
  void pup(Archive& /*archive*/) {
    static_assert(
        sizeof(Archive) == 0,
        "a gpu::Channel goes along with a chare that moves: channel.pup_on(archive, stream) in its pup(); what "
        "others get is the offer of an end, co_await channel.offer()");
  }

 private:
  Channel(const ChannelLuggage& luggage, Stream& stream) : side_(new ChannelSide(luggage, stream)), stream_(&stream) {
    if (luggage.shape != shape_of(luggage.shape.count)) throw runtime::CorruptMessage("a channel of another type came");
  }
  ChannelSide& side() const {
    if (side_ == nullptr) [[unlikely]]
      throw_no_channel();
    return *side_;
  }
  static ChannelShape shape_of(std::size_t count) { return {sizeof(T), count, typeid(T).hash_code()}; }

  OwnedChannelSide side_;
  Stream* stream_ = nullptr;
};

}  // namespace kaon::gpu

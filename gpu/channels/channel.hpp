// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/channels/channel_end.hpp"
#include "kaon/gpu/resident/awaiting_tasks.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/gpu/stream.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::gpu {

/// What the partner needs to know of an end of a channel; it travels in a message.
struct ChannelOffer {
  SegmentRange memory;
  std::uint64_t element_bytes = 0;
  std::uint64_t count = 0;
  std::uint32_t raises = 0;

  template <class Archive>
  void pup(Archive& p) {
    p(memory, element_bytes, count, raises);
  }
};

/// What does not depend on the type of the elements.
class ChannelMemory {
 public:
  ChannelMemory(std::uint64_t element_bytes, std::uint64_t count, std::uint32_t raises, Stream& stream);
  Task<ChannelOffer> offer(Stream& stream);
  /// Throws UsageError.
  void connect(const ChannelOffer& partner);
  void require_connected() const;

  std::byte* landing() const { return memory_.data() + kFlagBytes; }
  std::byte* partner_landing() const { return partner_ + kFlagBytes; }
  FlagWord arrived() const { return flag_at(memory_.data()); }
  FlagWord partner_arrived() const { return flag_at(partner_); }
  std::uint64_t count() const { return count_; }
  std::uint32_t partner_raises() const { return partner_raises_; }
  Scope scope() const { return scope_; }
  void move_to(Stream& stream) { memory_.move_to(stream); }

 private:
  static constexpr std::size_t kFlagBytes = 256;  // so that the places lie as buffers do
  static std::uint64_t bytes_of(std::uint64_t element_bytes, std::uint64_t count);
  static FlagWord flag_at(std::byte* memory) { return {reinterpret_cast<std::uint32_t*>(memory)}; }

  std::uint64_t element_bytes_, count_;
  std::uint32_t raises_;
  Buffer<std::byte> memory_;
  std::byte* partner_ = nullptr;
  std::uint32_t partner_raises_ = 0;
  Scope scope_ = Scope::system;
};

/// Memory between two chares through which kernels of theirs exchange elements in rounds, without messages, launches or
/// the host: what one writes lies where the other reads it, double-buffered, and a flag says that it is there
/// (ChannelEnd). Both make an end of the same size, send each other its offer, and connect() to that of the other; both
/// are of PEs of one host whose devices reach each other. An end stays until neither side uses the channel any more.
template <class T>
class Channel {
 public:
  /// For `count` elements a round; `raises`: how often this side raises the partner's flag in each, once by each part
  /// of a gang, say.
  Channel(std::size_t count, Stream& stream, std::uint32_t raises = 1)
      : memory_(sizeof(T), count, raises, stream), stream_(&stream) {}

  /// For the partner's connect(). `stream` of the constructor still lives.
  Task<ChannelOffer> offer() { return memory_.offer(*stream_); }
  /// Throws UsageError for an offer of another size and for a channel that is connected; as open_segment() does.
  void connect(const ChannelOffer& partner) { memory_.connect(partner); }
  /// For kernels. Throws UsageError before connect().
  ChannelEnd<T> end() const {
    memory_.require_connected();
    return {reinterpret_cast<T*>(memory_.landing()),
            reinterpret_cast<T*>(memory_.partner_landing()),
            memory_.arrived(),
            memory_.partner_arrived(),
            memory_.count(),
            memory_.scope()};
  }
  /// For at.when(): that the round has come whose number it is given.
  AwaitedFlag awaited() const {
    memory_.require_connected();
    return {memory_.arrived(), memory_.partner_raises(), memory_.scope()};
  }
  /// The memory goes back in the order of this stream: that of the resident scheduler whose entries use it.
  void move_to(Stream& stream) { memory_.move_to(stream); }

 private:
  ChannelMemory memory_;
  Stream* stream_;
};

}  // namespace kaon::gpu

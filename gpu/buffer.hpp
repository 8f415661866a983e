// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/span.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::gpu {

class Stream;

[[noreturn]] void throw_buffer_stays();

/// Memory that goes back to its pool in the order of the stream that uses it: nobody waits, and the next user of the
/// memory comes after what was given to the stream by then. Belongs to a PE, and is used by that PE's thread.
class StreamMemory {
 public:
  enum class Kind : std::uint8_t { device, pinned };
  StreamMemory() = default;
  StreamMemory(Kind kind, std::size_t bytes, Stream& stream);
  StreamMemory(StreamMemory&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), stream_(std::exchange(other.stream_, nullptr)) {}
  StreamMemory& operator=(StreamMemory&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  /// Takes the memory of a payload, for use on `stream` from now on, which waits for it. Throws UsageError when it is
  /// not memory of a buffer.
  StreamMemory(OwnedPayload payload, Stream& stream);
  ~StreamMemory();

  std::byte* data() const { return block_ != nullptr ? block_->data : nullptr; }
  StreamState* stream() const { return stream_; }
  /// The memory of a record from now on, which brings it back.
  void give_to(PayloadRecord& record);
  /// From now on the memory goes back in the order of `other`, which waits for what the present stream has by now.
  void move_to(Stream& other);

 private:
  Block* block_ = nullptr;
  StreamState* stream_ = nullptr;
};

/// `count` elements in the memory of this PE's device, of unspecified value. Work given to `stream` may use it at once;
/// it is freed in the order of that stream. It moves, and does not copy: given to a Payload it is gone.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>,
                "Buffer<T>: bytes travel as they are, so T must be trivially copyable");

 public:
  using value_type = T;
  Buffer() = default;
  Buffer(std::size_t count, Stream& stream)
      : memory_(StreamMemory::Kind::device, count * sizeof(T), stream), size_(count) {}
  Buffer(Buffer&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  std::size_t size() const { return size_; }
  Span<T> span() const { return Span<T>(data(), size_); }
  void move_to(Stream& other) { memory_.move_to(other); }

  /// For the pup() of a chare that moves: what the buffer holds when `stream` gets where it is now goes along, from
  /// device to device, and is there for what `stream` is given then; which is the chare's own and made anew.
  ///
  ///     template <class Archive> void pup(Archive& archive) { archive(step_); cells_.pup_on(archive, stream_); }
  template <class Archive, std::same_as<Stream> S>
  void pup_on(Archive& archive, S& stream) {
    std::uint64_t count = size_;
    archive(count);
    if constexpr (Archive::is_loading) {
      *this = count == 0 ? Buffer() : Buffer(count, OwnedPayload(archive.take_payload()), stream);
    } else if (count != 0) {
      if (archive.collects_payloads())
        archive.note_device_bytes(size_bytes());
      else if (archive.takes_payloads())
        archive.payloads()->push_back(stream.record_of(std::move(*this)).release());
      else if (!archive.only_counts())
        throw_buffer_stays();
    }
  }

  /// A buffer is not packed.
  template <class Archive>
  void pup(Archive& /*archive*/) {
    static_assert(
        sizeof(Archive) == 0,
        "a gpu::Buffer is sent as kaon::Payload(std::move(buffer), stream), and in pup() of a chare that moves "
        "it is buffer.pup_on(archive, stream)");
  }

  /// For Payload(buffer, stream).
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  StreamMemory& memory() { return memory_; }

 private:
  Buffer(std::uint64_t count, OwnedPayload payload, Stream& stream) {
    if (payload == nullptr || payload->bytes / sizeof(T) != count || payload->bytes % sizeof(T) != 0)
      runtime::throw_corrupt_payload(payload != nullptr ? payload->bytes : 0, sizeof(T));
    memory_ = StreamMemory(std::move(payload), stream);
    size_ = count;
  }

  StreamMemory memory_;
  std::size_t size_ = 0;
};

/// `count` elements in memory of the host that devices reach, of unspecified value. The host may read what a copy wrote
/// after `co_await stream.drained()`.
template <class T>
class Pinned {
  static_assert(std::is_trivially_copyable_v<T>, "Pinned<T>: devices copy bytes, so T must be trivially copyable");

 public:
  Pinned() = default;
  Pinned(std::size_t count, Stream& stream)
      : memory_(StreamMemory::Kind::pinned, count * sizeof(T), stream), size_(count) {}
  std::span<T> span() const { return {reinterpret_cast<T*>(memory_.data()), size_}; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return span()[i]; }

 private:
  StreamMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

/// Where an arriving payload goes: memory that the receiving entry's post rule names, a buffer of the runtime's, or
/// nowhere yet.
struct Landing {
  enum class Mode : std::uint8_t { pooled, into, later };

  Mode mode = Mode::pooled;
  MemoryKind kind = MemoryKind::host;  // of `data`
  void* data = nullptr;
  std::size_t bytes = 0;
  // Device memory is written when this stream has reached this position, and the entry may read it on this stream.
  void* stream = nullptr;
  std::uint64_t position = 0;

  /// In a buffer that belongs to the payload.
  static Landing pooled() { return {}; }
  /// The entry runs without the data, which stays with the sender until `co_await land(payload, landing)` fetches it.
  /// Within a process the data is handed over with the message and is here at once.
  static Landing later() {
    Landing landing;
    landing.mode = Mode::later;
    return landing;
  }
  template <class T>
  static Landing into(std::span<T> memory) {
    return {Mode::into, MemoryKind::host, memory.data(), memory.size_bytes(), nullptr, 0};
  }
  /// Memory of a device, in the order of one of its streams: gpu::Span and gpu::Stream.
  template <class DeviceSpan, class Stream>
  static Landing into(const DeviceSpan& memory, Stream& stream) {
    static_assert(!std::is_convertible_v<const DeviceSpan&, std::span<const typename DeviceSpan::value_type>>,
                  "Landing::into(memory, stream): this is memory of the host, give the span of a gpu::Buffer");
    return stream.landing(memory.data(), memory.size_bytes());
  }
  bool is_pooled() const { return mode == Mode::pooled; }
};

/// How a payload gets from one process to another.
enum class Route : std::uint8_t {
  inside,  // among the bytes of its message
  host,    // host memory, apart from its message
  direct,  // device memory to device memory
  staged,  // device memory through host memory, in pieces
};

class SentSignal;

/// The buffer behind a Payload: memory with its way back. Counted by its owners, the Payload and the transfers under
/// way; touched by one PE's thread at a time, so the count is a plain number.
struct PayloadRecord {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t capacity = 0;  // of the pooled buffer; 0 when the memory is not the runtime's
  void* keeper = nullptr;    // object that owns the memory otherwise, released by `release_keeper`
  void (*release_keeper)(PayloadRecord& record) noexcept = nullptr;
  // Device memory: it may be used when this stream has reached this position, and meanwhile on this stream.
  void* stream = nullptr;
  std::uint64_t position = 0;
  MemoryRegion* region = nullptr;  // device memory that others reach directly
  SentSignal* signal = nullptr;    // told when the memory is free
  std::uint32_t owners = 1;
  std::uint16_t home = 0;         // pool of this process that the record belongs to
  std::uint16_t memory_home = 0;  // and its pooled buffer
  MemoryKind kind = MemoryKind::host;
  Route route = Route::host;
  bool is_counted = false;    // in a TransferReport
  bool is_viewed = false;     // device memory: work given to `stream` after `position` may use it too
  bool is_later = false;      // announced; its data is still with the sender
  bool is_arriving = false;   // it was later, and a task fetches it
  PeId sender = 0;            // of a later one: whence
  std::uint32_t counter = 0;  // and under which number

  bool is_here() const { return !is_later && !is_arriving; }
  PayloadMemory memory() const { return {data, bytes, kind, region}; }
};

/// A record over an uninitialised buffer from this PE's pool.
PayloadRecord* make_payload(std::size_t bytes);
/// A record without memory: its bytes are announced and travel apart.
PayloadRecord* announce_payload(std::size_t bytes, Route route = Route::host);
/// A record over host memory that `keeper` owns; `release` gets the record, and its keeper.
PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, void* keeper,
                             void (*release)(PayloadRecord&) noexcept);
/// Gives an announced record its memory: the landing, after checking that it can take the bytes (UsageError), else a
/// pooled buffer.
void land(PayloadRecord& record, const Landing& landing);
/// Moves the bytes of a record that has memory to a landing, which becomes its memory.
void relocate(PayloadRecord& record, const Landing& landing);
/// Gives the memory of `from` to `to`, which has none.
void hand_memory(PayloadRecord& from, PayloadRecord& to);
void release_payload(PayloadRecord* record) noexcept;
void check_landing(const PayloadRecord& record, const Landing& landing);
[[noreturn]] void throw_corrupt_payload(std::uint64_t bytes, std::size_t element_bytes);
[[noreturn]] void throw_device_payload_inside(std::uint64_t bytes);
[[noreturn]] void throw_not_here();
[[noreturn]] void throw_device_memory();

}  // namespace kaon::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/payloads/arrival_flag.hpp"
#include "kaon/runtime/payloads/route.hpp"
#include "kaon/runtime/ports/memory_region.hpp"

namespace kaon::runtime {

[[noreturn]] void throw_no_place_to_raise();

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
  ArrivalFlag* flag = nullptr;  // see raising()

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
  /// The same place; once the data of a payload is there, the flag is raised by one: a gpu::Flag, or one of a resident
  /// scheduler. For memory of devices. A payload without elements lands nowhere, and raises nothing.
  template <class Flag>
  Landing raising(const Flag& raised) const {
    if (mode != Mode::into) throw_no_place_to_raise();
    Landing landing = *this;
    landing.flag = &raised.arrival();
    return landing;
  }
  bool is_pooled() const { return mode == Mode::pooled; }
};

class SentSignal;
struct PayloadRecord;

/// The owner of the memory behind payload records: the pool, a vector of the program's, a buffer on a device.
class PayloadOwner {
 public:
  /// Takes the record's memory back. On the thread of any PE of the process.
  virtual void release(PayloadRecord& record) noexcept = 0;
  /// All of the record's bytes have come over the network into its memory.
  virtual void arrived(PayloadRecord& record) noexcept { (void)record; }

 protected:
  ~PayloadOwner() = default;
};

enum class PayloadState : std::uint8_t {
  here,      // its data is, or will be in the order of its stream
  arriving,  // announced; its message waits for it
  deferred,  // announced; with its sender until a task fetches it, because the post rule said later()
  fetching,  // a task waits for it
};

/// The buffer behind a Payload: memory with its way back. Counted by those who hold it, the Payload and the transfers
/// under way; touched by one PE's thread at a time, so the count is a plain number.
struct PayloadRecord {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t capacity = 0;       // of the pooled buffer; 0 when the memory is not the pool's
  PayloadOwner* owner = nullptr;  // nullptr: nobody has to get the memory back, as with a landing
  void* keeper = nullptr;         // the owner's: which object of its own
  // Device memory: it may be used when this stream has reached this position, and meanwhile on this stream.
  void* stream = nullptr;
  std::uint64_t position = 0;
  MemoryRegion* region = nullptr;  // device memory that others reach directly
  SentSignal* signal = nullptr;    // told when the memory is free
  ArrivalFlag* flag = nullptr;     // raised when its data has come; it is expected
  std::uint32_t holders = 1;
  std::uint16_t home = 0;         // pool of this process that the record belongs to
  std::uint16_t memory_home = 0;  // and its pooled buffer
  MemoryKind kind = MemoryKind::host;
  Route route = Route::host;  // of one that is sent, as last chosen
  PayloadState state = PayloadState::here;
  bool is_counted = false;    // in a TransferReport
  bool is_viewed = false;     // device memory: work given to `stream` after `position` may use it too
  PeId sender = 0;            // of one that is not here, or in its sender's memory: whence it comes
  std::uint32_t counter = 0;  // and under which number, of it or of that memory

  /// True if its data may be used.
  bool is_here() const { return state == PayloadState::here || state == PayloadState::arriving; }
  PayloadMemory memory() const { return {data, bytes, kind, region}; }
};

/// A record over an uninitialised buffer from this PE's pool.
PayloadRecord* make_payload(std::size_t bytes);
/// A record without memory: its bytes are announced and travel apart.
PayloadRecord* announce_payload(std::size_t bytes, Route route = Route::host);
/// How a payload will go to a PE of another process, in a message in which so many are before it. It is noted in it.
Route choose_route(PeId to, PayloadRecord& record, std::size_t before);
/// A record over host memory of an owner.
PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, PayloadOwner& owner, void* keeper);
/// Gives an announced record its memory: the landing, after checking that it can take the bytes (UsageError), else a
/// pooled buffer.
void land(PayloadRecord& record, const Landing& landing);
/// Moves the bytes of a record that has memory to a landing, which becomes its memory.
void relocate(PayloadRecord& record, const Landing& landing);
/// Gives the memory of `from` to `to`, which has none.
void hand_memory(PayloadRecord& from, PayloadRecord& to);
void release_payload(PayloadRecord* record) noexcept;
struct ReleasePayload {
  void operator()(PayloadRecord* record) const noexcept { release_payload(record); }
};
/// A record that is released unless it is handed on, also when something throws.
using OwnedPayload = std::unique_ptr<PayloadRecord, ReleasePayload>;
/// The record of a payload whose holder ends, for somebody else: over memory of its own, so that one which landed in
/// memory of the holder's is copied. Throws UsageError when that is a device's.
PayloadRecord* take_over(OwnedPayload& record);
void check_landing(const PayloadRecord& record, const Landing& landing);
[[noreturn]] void throw_corrupt_payload(std::uint64_t bytes, std::size_t element_bytes);
[[noreturn]] void throw_device_payload_inside(std::uint64_t bytes);
[[noreturn]] void throw_not_here();
[[noreturn]] void throw_device_memory();

}  // namespace kaon::runtime

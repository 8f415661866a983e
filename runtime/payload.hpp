// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/machine.hpp"

namespace kaon {

/// Where an arriving payload goes: memory that the receiving entry's post rule names, or a buffer of the runtime's.
struct Landing {
  void* data = nullptr;  // nullptr: pooled
  std::size_t bytes = 0;

  static Landing pooled() { return {}; }
  template <class T>
  static Landing into(std::span<T> memory) {
    return {memory.data(), memory.size_bytes()};
  }
  bool is_pooled() const { return data == nullptr; }
};

/// The buffer behind a Payload: memory with its way back. Counted by its owners, the Payload and the transfers under
/// way; touched by one PE's thread at a time, so the count is a plain number.
struct PayloadRecord {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t capacity = 0;  // of the pooled buffer; 0 when the memory is not the runtime's
  void* keeper = nullptr;    // object that owns the memory otherwise, released by `release_keeper`
  void (*release_keeper)(void* keeper) noexcept = nullptr;
  std::uint32_t owners = 1;
  std::uint16_t home = 0;  // pool of this process that the record and its pooled buffer belong to
  MemoryKind kind = MemoryKind::host;

  PayloadMemory memory() const { return {data, bytes, kind}; }
};

/// A record over an uninitialised buffer from this PE's pool.
PayloadRecord* make_payload(std::size_t bytes);
/// A record without memory: its bytes are announced and travel apart.
PayloadRecord* announce_payload(std::size_t bytes);
/// A record over memory that `keeper` owns.
PayloadRecord* adopt_payload(std::byte* data, std::size_t bytes, void* keeper, void (*release)(void*) noexcept);
/// Gives an announced record its memory: the landing, after checking that it is large enough (UsageError), else pooled.
void land(PayloadRecord& record, Landing landing);
/// Moves the bytes of a record that has memory to a landing, which becomes its memory.
void relocate(PayloadRecord& record, Landing landing);
void release_payload(PayloadRecord* record) noexcept;
[[noreturn]] void throw_corrupt_payload(std::uint64_t bytes, std::size_t element_bytes);

/// Payloads up to this size ride inside the message; more would only cost a transfer of their own.
inline constexpr std::size_t kInlinePayloadBytes = 2048;

/// Bulk data of a message. Within a process the buffer is handed over; between processes it travels apart from the
/// message, straight from the sender's memory into the place that the receiver chose. Moving it into a send gives the
/// buffer away, so data in flight cannot be overwritten.
template <class T>
class Payload {
  static_assert(std::is_trivially_copyable_v<T>,
                "Payload<T>: bytes travel as they are, so T must be trivially copyable");

 public:
  Payload() = default;
  explicit Payload(std::vector<T> values) {
    auto keeper = std::make_unique<std::vector<T>>(std::move(values));
    auto* data = reinterpret_cast<std::byte*>(keeper->data());
    record_.reset(adopt_payload(data, keeper->size() * sizeof(T), keeper.get(),
                                [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); }));
    (void)keeper.release();  // the record's from here on
  }
  /// `count` elements of unspecified value in a buffer from the pool.
  static Payload uninitialized(std::size_t count) { return Payload(make_payload(count * sizeof(T))); }
  static Payload copy_of(std::span<const T> values) {
    Payload payload = uninitialized(values.size());
    if (!values.empty()) std::memcpy(payload.record_->data, values.data(), values.size_bytes());
    return payload;
  }

  std::size_t size() const { return record_ ? record_->bytes / sizeof(T) : 0; }
  bool empty() const { return size() == 0; }
  std::span<T> view() { return {data(), size()}; }
  std::span<const T> view() const { return {data(), size()}; }
  PayloadRecord* record() const { return record_.get(); }

  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving)
      save(archive);
    else
      load(archive);
  }

 private:
  struct Release {
    void operator()(PayloadRecord* record) const noexcept { release_payload(record); }
  };
  explicit Payload(PayloadRecord* record) : record_(record) {}
  T* data() const { return record_ ? reinterpret_cast<T*>(record_->data) : nullptr; }

  template <class Archive>
  void save(Archive& archive) const {
    const std::uint64_t bytes = record_ ? record_->bytes : 0;
    const bool travels_apart =
        archive.payloads() != nullptr && (bytes > kInlinePayloadBytes || (archive.collects_payloads() && bytes != 0));
    archive(bytes, travels_apart);
    if (travels_apart)
      archive.payloads()->push_back(record_.get());
    else if (bytes != 0)
      archive.raw(record_->data, bytes);
  }

  template <class Archive>
  void load(Archive& archive) {
    std::uint64_t bytes = 0;
    bool travels_apart = false;
    archive(bytes, travels_apart);
    if (bytes % sizeof(T) != 0) throw_corrupt_payload(bytes, sizeof(T));
    if (travels_apart) {
      if (archive.payloads() == nullptr) throw_corrupt_payload(bytes, sizeof(T));
      record_.reset(announce_payload(bytes));
      archive.payloads()->push_back(record_.get());
    } else if (bytes != 0) {
      const std::byte* data = archive.take(bytes);  // throws before anything is allocated
      record_.reset(make_payload(bytes));
      std::memcpy(record_->data, data, bytes);
    }
  }

  std::unique_ptr<PayloadRecord, Release> record_;
};

}  // namespace kaon

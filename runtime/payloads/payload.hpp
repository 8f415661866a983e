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

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::runtime {

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
  using value_type = T;

  Payload() = default;
  explicit Payload(std::vector<T> values) {
    auto keeper = std::make_unique<std::vector<T>>(std::move(values));
    auto* data = reinterpret_cast<std::byte*>(keeper->data());
    record_.reset(adopt_payload(data, keeper->size() * sizeof(T), vector_memory_, keeper.get()));
    (void)keeper.release();  // the record's from here on
  }
  /// Data in the memory of a device, which is there when `stream` gets where it is now: a gpu::Buffer<T>&& or memory of
  /// a gpu::Registration.
  template <class Buffer, class Stream>
    requires std::is_same_v<typename std::remove_cvref_t<Buffer>::value_type, T>
  Payload(Buffer&& buffer, Stream& stream) {
    static_assert(std::is_constructible_v<std::remove_cvref_t<Buffer>, Buffer>,
                  "Payload(buffer, stream): the buffer is given away, not copied: write std::move(buffer)");
    record_ = stream.record_of(std::remove_cvref_t<Buffer>(std::forward<Buffer>(buffer)));
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
  /// Data in host memory. Throws UsageError when it is in the memory of a device.
  std::span<T> view() { return {host_data(), size()}; }
  std::span<const T> view() const { return {host_data(), size()}; }
  /// Data in the memory of a device (gpu::Span<T>), for work given to `stream` from now on. The buffer goes back to its
  /// pool when the stream has reached where it is when the payload ends.
  template <class Stream>
  auto view(Stream& stream) {
    return stream.template view<T>(record_.get());
  }
  template <class Stream>
  auto view(Stream& stream) const {
    return stream.template view<const T>(record_.get());
  }
  bool is_on_device() const { return record_ && record_->kind == MemoryKind::device; }
  /// False: the post rule said later(), and the data was not fetched yet.
  bool is_here() const { return !record_ || record_->is_here(); }
  PayloadRecord* record() const { return record_.get(); }
  /// Makes a payload of the data that a record holds, and takes the record.
  static Payload of(OwnedPayload record) { return Payload(record.release()); }
  OwnedPayload take_record() { return std::move(record_); }

  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving)
      save(archive);
    else
      load(archive);
  }

 private:
  class VectorMemory final : public PayloadOwner {
    void release(PayloadRecord& record) noexcept override { delete static_cast<std::vector<T>*>(record.keeper); }
  };
  static inline VectorMemory vector_memory_;

  explicit Payload(PayloadRecord* record) : record_(record) {}
  T* host_data() const {
    if (!record_) return nullptr;
    if (record_->kind != MemoryKind::host && record_->bytes != 0) [[unlikely]]
      throw_device_memory();
    if (!record_->is_here()) [[unlikely]]
      throw_not_here();
    return reinterpret_cast<T*>(record_->data);
  }

  template <class Archive>
  void save(Archive& archive) const {
    if (archive.collects_payloads()) return archive.payloads()->push_back(record_.get());
    const std::uint64_t bytes = record_ ? record_->bytes : 0;
    const Route route = route_of(archive, bytes);
    archive(bytes, route);
    if (route != Route::inside)
      archive.payloads()->push_back(archive.takes_payloads() ? given_away() : record_.get());
    else if (bytes != 0)
      archive.raw(host_data(), bytes);
  }

  // A Writer only looks, unless it is told that what it packs ends then.
  PayloadRecord* given_away() const { return take_over(const_cast<OwnedPayload&>(record_)); }

  template <class Archive>
  Route route_of(Archive& archive, std::uint64_t bytes) const {
    if (bytes == 0) return Route::inside;
    if (!record_->is_here()) [[unlikely]]
      throw_not_here();
    if (archive.payloads() != nullptr && (bytes > kInlinePayloadBytes || record_->kind != MemoryKind::host))
      return archive.destination() == kNoPe ? record_->route
                                            : choose_route(archive.destination(), *record_, archive.payloads()->size());
    if (record_->kind != MemoryKind::host) [[unlikely]]
      throw_device_payload_inside(bytes);
    return Route::inside;
  }

  template <class Archive>
  void load(Archive& archive) {
    std::uint64_t bytes = 0;
    auto route = Route::inside;
    archive(bytes, route);
    if (bytes % sizeof(T) != 0 || !is_wire_route(route)) throw_corrupt_payload(bytes, sizeof(T));
    if (route != Route::inside && archive.brings_payloads()) {
      record_.reset(archive.take_payload());
      if (record_ == nullptr || record_->bytes != bytes) throw_corrupt_payload(bytes, sizeof(T));
    } else if (route != Route::inside) {
      if (archive.payloads() == nullptr || bytes == 0) throw_corrupt_payload(bytes, sizeof(T));
      record_.reset(announce_payload(bytes, route));
      archive.payloads()->push_back(record_.get());
    } else if (bytes != 0) {
      const std::byte* data = archive.take(bytes);  // throws before anything is allocated
      record_.reset(make_payload(bytes));
      std::memcpy(record_->data, data, bytes);
    }
  }

  OwnedPayload record_;
};

template <class T>
inline constexpr bool archive::is_payload<Payload<T>> = true;

template <class Buffer, class Stream>
Payload(Buffer&&, Stream&) -> Payload<typename std::remove_cvref_t<Buffer>::value_type>;

}  // namespace kaon::runtime

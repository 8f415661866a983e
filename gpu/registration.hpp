// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/span.hpp"

namespace kaon::gpu {

/// Part of registered memory, as the source of a payload. Its owner may write it again
/// when a Sent, made before the send, has been awaited.
template <class T>
class RegisteredSpan {
 public:
  using value_type = T;
  RegisteredSpan(Region& region, T* data, std::size_t size) : region_(region), data_(data), size_(size) {}
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  RegisteredSpan& memory() { return *this; }
  void give_to(PayloadRecord& record);

 private:
  Region& region_;
  T* data_;
  std::size_t size_;
};

/// Device memory that somebody else owns (PyTorch, CuPy, Kokkos, a cudaMalloc of the program's): registered once, then
/// a source of payloads and a place for landings like any other. Memory of asynchronous pools, of virtual memory calls
/// and managed memory is taken too, but other processes cannot map it: what is sent from there goes through the host,
/// and a warning says so once.
///
/// Made and destroyed on the PE that uses it. The memory outlives the registration; destroying it while payloads are
/// under way ends the run with an error.
class Registration {
 public:
  /// Throws UsageError when the range is not one allocation of this PE's device.
  Registration(void* memory, std::size_t bytes);
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

  /// The memory as payloads over it name it.
  Region& region() const { return *region_; }
  /// Why payloads from here go through the host; empty: they go directly.
  const std::string& staged_because() const { return region_->staged_because; }
  /// `count` elements from byte `offset` on. Throws UsageError outside the range.
  template <class T>
  RegisteredSpan<T> part(std::size_t offset, std::size_t count) const {
    return RegisteredSpan<T>(*region_, reinterpret_cast<T*>(check(offset, count * sizeof(T), alignof(T))), count);
  }
  template <class T>
  Span<T> span(std::size_t offset, std::size_t count) const {
    return Span<T>(reinterpret_cast<T*>(check(offset, count * sizeof(T), alignof(T))), count);
  }

 private:
  std::byte* check(std::size_t offset, std::size_t bytes, std::size_t alignment) const;
  Device& device_;
  std::shared_ptr<Region> region_;  // and the table's
};

/// Makes a record stand for registered memory.
void refer_to(Region& region, void* data, PayloadRecord& record);

template <class T>
void RegisteredSpan<T>::give_to(PayloadRecord& record) {
  refer_to(region_, const_cast<std::remove_const_t<T>*>(data_), record);
}

}  // namespace kaon::gpu

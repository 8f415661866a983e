// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace kaon::gpu {

/// A view of memory of a device. The host must not follow its pointer; kernels do.
template <class T>
class Span {
 public:
  using value_type = T;
  constexpr Span() = default;
  constexpr explicit Span(T* data, std::size_t size) : data_(data), size_(size) {}
  /// Converts a view for reading and writing into one for reading.
  constexpr operator Span<const T>() const { return Span<const T>(data_, size_); }

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr Span subspan(std::size_t offset, std::size_t count) const { return Span(data_ + offset, count); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kaon::gpu

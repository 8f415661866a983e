// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "kaon/runtime/archive/fixed.hpp"

// vector, string, deque, list: a count, then the elements. A container takes a number of bytes for each of its
// elements, padded where they take fewer, so that a claimed count never makes the reader work or allocate out of
// proportion to the bytes that are there (kMostGrowth).
namespace kaon::runtime::archive {

// Reads values from bytes at any address, so that vector::assign makes its elements from them in one pass, without
// filling them with zeros first.
template <class T>
class UnalignedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = T;

  explicit UnalignedIterator(const std::byte* at) : at_(at) {}

  T operator*() const {
    T value;
    std::memcpy(static_cast<void*>(&value), at_, sizeof(T));
    return value;
  }
  UnalignedIterator& operator++() {
    at_ += sizeof(T);
    return *this;
  }
  UnalignedIterator& operator--() {
    at_ -= sizeof(T);
    return *this;
  }
  UnalignedIterator operator++(int) { return UnalignedIterator((at_ += sizeof(T)) - sizeof(T)); }
  UnalignedIterator& operator+=(difference_type count) {
    at_ += count * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  friend difference_type operator-(UnalignedIterator a, UnalignedIterator b) {
    return (a.at_ - b.at_) / static_cast<difference_type>(sizeof(T));
  }
  friend bool operator==(UnalignedIterator, UnalignedIterator) = default;

 private:
  const std::byte* at_;
};

template <class T>
void assign_elements(T& container, const std::byte* from, std::size_t count) {
  using Value = Element<T>;
  if (reinterpret_cast<std::uintptr_t>(from) % alignof(Value) == 0) {
    const auto* first = reinterpret_cast<const Value*>(from);
    container.assign(first, first + count);
  } else {
    container.assign(UnalignedIterator<Value>(from), UnalignedIterator<Value>(from + count * sizeof(Value)));
  }
}

template <class Out, class T>
void pack_elements(Out& out, const T& container) {
  using Value = Element<T>;
  const std::size_t start = out.bytes();
  if constexpr (fixed_size<Value> == 0 || !has_fixed_size<Value>) {
    for (const auto& element : container) {
      out.write(element);
    }
  } else if (std::byte* at = out.room(container.size() * fixed_size<Value>)) {
    for (const auto& element : container) {
      at = place(at, element);
    }
  }
  pad_elements<Parts<T>>(out, start, container.size());
}

template <class Out, class T>
void pack_sequence(Out& out, const T& container) {
  out.write(static_cast<std::uint64_t>(container.size()));
  if constexpr (Assignable<T> && is_bitwise<Element<T>>) {
    out.raw(container.data(), container.size() * sizeof(Element<T>));
  } else {
    pack_elements(out, container);
  }
}

// The elements themselves may be large where their packed form is small, so memory is not reserved for a claimed count
// but for what the bytes could fill.
template <class In, class T>
void reserve_elements(In& in, T& container, std::size_t count) {
  if constexpr (requires { container.reserve(count); }) {
    const std::size_t fitting = in.remaining() / sizeof(Element<T>) + 1;
    container.reserve(count < fitting ? count : fitting);
  }
}

template <class In, class T>
void unpack_sequence(In& in, T& container) {
  using Value = Element<T>;
  const std::size_t count = in.template count<least_share<Parts<T>>>();
  if constexpr (Assignable<T> && is_bitwise<Value>) {
    assign_elements(container, in.take(count * sizeof(Value)), count);
  } else {
    const std::size_t start = in.remaining();
    container.clear();
    reserve_elements(in, container, count);
    for (std::size_t i = 0; i != count; ++i) {
      container.emplace_back();
      in.read(container.back());
    }
    in.template skip_padding<Parts<T>>(start, count);
  }
}

}  // namespace kaon::runtime::archive

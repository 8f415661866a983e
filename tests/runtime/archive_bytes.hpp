// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"

namespace kaon::testing {

// The packed form of values, in memory of exactly the size that the Writer counted.
template <class... T>
std::vector<std::byte> packed(const T&... values) {
  Writer counter(nullptr, 0);
  counter(values...);
  std::vector<std::byte> bytes(counter.bytes());
  Writer out(bytes.data(), bytes.size());
  out(values...);
  if (!out.fits() || out.bytes() != counter.bytes()) {
    throw std::logic_error("a Writer counted a size that did not fit");
  }
  return bytes;
}

// Reads a T that must take all the bytes.
template <class T>
T unpacked(const std::vector<std::byte>& bytes) {
  T value = T();
  Reader in(bytes.data(), bytes.size());
  in(value);
  if (in.remaining() != 0) {
    throw std::logic_error("a Reader left bytes over");
  }
  return value;
}

template <class T>
T round_trip(const T& value) {
  return unpacked<T>(packed(value));
}

}  // namespace kaon::testing

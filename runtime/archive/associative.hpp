// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kaon/runtime/archive/corrupt.hpp"
#include "kaon/runtime/archive/size.hpp"

// Sets and maps, sorted or hashed, with unique keys or several: a count, then the elements in the order of iteration
// (which makes the hint right for the sorted ones). Comparators and hashes do not travel.
namespace kaon::runtime::archive {

template <class Out, class T>
void pack_associative(Out& out, const T& container) {
  out.write(static_cast<std::uint64_t>(container.size()));
  const std::size_t start = out.bytes();
  for (const auto& element : container) {
    if constexpr (kind<T> == Kind::map) {
      out.write(element.first);
      out.write(element.second);
    } else {
      out.write(element);
    }
  }
  pad_elements<Parts<T>>(out, start, container.size());
}

template <class In, class T>
void unpack_element(In& in, T& container) {
  auto key = typename T::key_type();
  in.read(key);
  if constexpr (kind<T> == Kind::map) {
    auto mapped = typename T::mapped_type();
    in.read(mapped);
    container.emplace_hint(container.end(), std::move(key), std::move(mapped));
  } else {
    container.emplace_hint(container.end(), std::move(key));
  }
}

template <class In, class T>
void unpack_associative(In& in, T& container) {
  const std::size_t count = in.template count<least_share<Parts<T>>>();
  const std::size_t start = in.remaining();
  container.clear();
  for (std::size_t i = 0; i != count; ++i) {
    unpack_element(in, container);
  }
  if (container.size() != count) {
    throw_value("a key twice where keys are unique");
  }
  in.template skip_padding<Parts<T>>(start, count);
}

}  // namespace kaon::runtime::archive

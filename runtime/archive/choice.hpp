// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kaon/runtime/archive/corrupt.hpp"
#include "kaon/runtime/archive/size.hpp"

// optional and variant: one byte that says which value follows, then that value.
namespace kaon::runtime::archive {

template <class Out, class T>
void pack_optional(Out& out, const T& value) {
  out.write(value.has_value());
  if (value.has_value()) {
    out.write(*value);
  }
}

template <class In, class T>
void unpack_optional(In& in, T& value) {
  bool has_value = false;
  in.read(has_value);
  if (has_value) {
    in.read(value.emplace());
  } else {
    value.reset();
  }
}

template <class T>
struct Alternatives;
template <template <class...> class Variant, class... T>
struct Alternatives<Variant<T...>> {
  static_assert(sizeof...(T) < 256, "a variant that is sent has at most 255 alternatives");
  using Sequence = std::make_index_sequence<sizeof...(T)>;
};

template <class Out, class T, std::size_t... I>
void pack_alternative(Out& out, const T& value, std::index_sequence<I...>) {
  // A variant that lost its value to an exception travels as an index out of range, which the reader reports.
  out.write(static_cast<std::uint8_t>(value.index()));
  static_cast<void>(((value.index() == I && (out.write(*get_if<I>(&value)), true)) || ...));
}

template <class In, class T, std::size_t... I>
void unpack_alternative(In& in, T& value, std::index_sequence<I...>) {
  std::uint8_t index = 0;
  in.read(index);
  const bool known = ((index == I && (in.read(value.template emplace<I>()), true)) || ...);
  if (!known) {
    throw_value("a variant without a value");
  }
}

template <class Out, class T>
void pack_variant(Out& out, const T& value) {
  pack_alternative(out, value, typename Alternatives<T>::Sequence{});
}

template <class In, class T>
void unpack_variant(In& in, T& value) {
  unpack_alternative(in, value, typename Alternatives<T>::Sequence{});
}

}  // namespace kaon::runtime::archive

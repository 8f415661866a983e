// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "kaon/runtime/archive/size.hpp"

// Types that are made of a number of parts known to the compiler, at least one of which varies in size: the parts one
// after the other.
namespace kaon::runtime::archive {

// Calls visit with each part of an array, a tuple or an aggregate, const as the value is.
template <class T, class Visit>
void for_each_part(T& value, Visit&& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (kind<Plain> == Kind::array) {
    for (auto& element : value) {
      visit(element);
    }
  } else if constexpr (kind<Plain> == Kind::tuple) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit(get<I>(value)), ...);
    }(std::make_index_sequence<std::tuple_size_v<Plain>>{});
  } else {
    with_fields(value, [&](auto, auto&... field) { (visit(field), ...); });
  }
}

template <class Out, class T>
void write_parts(Out& out, const T& value) {
  if constexpr (kind<T> == Kind::duration || kind<T> == Kind::time_point) {
    out.write(time_count(value));
  } else {
    for_each_part(value, [&](const auto& part) { out.write(part); });
  }
}

template <class In, class T>
void read_parts(In& in, T& value) {
  if constexpr (kind<T> == Kind::duration || kind<T> == Kind::time_point) {
    TimeCount<T> count{};
    in.read(count);
    value = T(count);
  } else {
    for_each_part(value, [&](auto& part) { in.read(part); });
  }
}

}  // namespace kaon::runtime::archive

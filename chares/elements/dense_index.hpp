// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/index_number.hpp"

namespace kaon::chares {

/// How indices of an array with a shape are numbers, from 0 to one below their count. Indices that are integers, or
/// have numbers of their own, are of one dimension.
template <class I>
struct DenseIndex {
  static constexpr std::size_t kDimensions = 3;  // a shape has no fewer
  static constexpr bool kNeedsShape = false;
  static bool contains(const Shape& shape, const I& index) { return IndexNumber<I>::of(index) < shape.count(); }
  static std::uint64_t number(const Shape& /*shape*/, const I& index) { return IndexNumber<I>::of(index); }
  static I index(const Shape& /*shape*/, std::uint64_t number) { return IndexNumber<I>::index(number); }
  static std::string text(const I& index) { return std::to_string(IndexNumber<I>::of(index)); }
};

template <>
struct DenseIndex<Index> {
  static constexpr std::size_t kDimensions = 3;
  static constexpr bool kNeedsShape = true;
  static constexpr bool contains(const Shape& shape, Index index) { return shape.contains(index); }
  static constexpr std::uint64_t number(const Shape& shape, Index index) { return shape.linear(index); }
  static constexpr Index index(const Shape& shape, std::uint64_t number) { return shape.index(number); }
  static std::string text(Index index) { return to_string(index); }
};

/// The last dimension runs fastest.
template <std::size_t D>
struct DenseIndex<Coordinates<D>> {
  static constexpr std::size_t kDimensions = std::max<std::size_t>(D, 3);
  static constexpr bool kNeedsShape = true;

  static constexpr bool contains(const Shape& shape, const Coordinates<D>& index) {
    bool is_inside = true;
    for (std::size_t i = 0; i < D; ++i)
      is_inside &= static_cast<std::uint64_t>(index[i]) < static_cast<std::uint64_t>(shape.extent(i));
    return is_inside;
  }
  static constexpr std::uint64_t number(const Shape& shape, const Coordinates<D>& index) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < D; ++i)
      number = number * static_cast<std::uint64_t>(shape.extent(i)) + static_cast<std::uint64_t>(index[i]);
    return number;
  }
  static constexpr Coordinates<D> index(const Shape& shape, std::uint64_t number) {
    Coordinates<D> index;
    for (std::size_t i = D; i-- > 0;) {
      const auto extent = static_cast<std::uint64_t>(shape.extent(i));
      index[i] = static_cast<std::int64_t>(number % extent);
      number /= extent;
    }
    return index;
  }
  static std::string text(const Coordinates<D>& index) {
    std::string text = "(";
    for (std::size_t i = 0; i < D; ++i) text += (i == 0 ? "" : ", ") + std::to_string(index[i]);
    return text + ")";
  }
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include "kaon/chares/elements/index.hpp"
#include "kaon/runtime/base/short_text.hpp"

namespace kaon::chares {

/// Place of an element in a sparse array of D dimensions, of which each has 64 / D bits: parts run from
/// -2^(64 / D - 1) to one below 2^(64 / D - 1), as from -32,768 to 32,767 in four dimensions.
template <std::size_t D>
struct Coordinates {
  static_assert(D >= 1 && D <= 6, "Coordinates<D>: arrays have 1 to 6 dimensions");
  std::array<std::int64_t, D> at{};

  constexpr std::int64_t& operator[](std::size_t dimension) { return at[dimension]; }
  constexpr std::int64_t operator[](std::size_t dimension) const { return at[dimension]; }
  friend constexpr bool operator==(const Coordinates&, const Coordinates&) = default;
  friend constexpr auto operator<=>(const Coordinates&, const Coordinates&) = default;

  template <class Archive>
  void pup(Archive& archive) {
    archive(at);
  }
};

/// An index of the user's own: the number that stands for it, different for each, and the index of a number.
template <class I>
concept NumberedIndex = requires(const I index, std::uint64_t number) {
  { index.number() } -> std::convertible_to<std::uint64_t>;
  { I::from_number(number) } -> std::convertible_to<I>;
};

/// Throws UsageError: this part of an index has no place in a number.
[[noreturn]] void throw_part_too_large(std::int64_t part, int bits);

/// How indices of a sparse array are numbers of 64 bits, by which its elements are known.
template <class I>
struct IndexNumber;

template <std::integral I>
struct IndexNumber<I> {
  static constexpr std::uint64_t of(I index) { return static_cast<std::uint64_t>(index); }
  static constexpr I index(std::uint64_t number) { return static_cast<I>(number); }
  static void say(std::uint64_t number, ShortText& text) { text << index(number); }
};

template <NumberedIndex I>
struct IndexNumber<I> {
  static std::uint64_t of(const I& index) { return index.number(); }
  static I index(std::uint64_t number) { return I::from_number(number); }
  static void say(std::uint64_t number, ShortText& text) { text << "number " << number; }
};

template <std::size_t D>
struct IndexNumber<Coordinates<D>> {
  static constexpr int kBits = 64 / D;

  static std::uint64_t of(const Coordinates<D>& index) {
    std::uint64_t number = 0;
    for (const std::int64_t part : index.at) {
      if (part != low_bits(static_cast<std::uint64_t>(part))) [[unlikely]]
        throw_part_too_large(part, kBits);
      number = shifted(number) | (static_cast<std::uint64_t>(part) & kMask);
    }
    return number;
  }
  static constexpr Coordinates<D> index(std::uint64_t number) {
    Coordinates<D> index;
    for (std::size_t i = 0; i < D; ++i) index[i] = low_bits(D == 1 ? number : number >> kBits * (D - 1 - i));
    return index;
  }
  static void say(std::uint64_t number, ShortText& text) {
    const Coordinates<D> index = IndexNumber::index(number);
    text << "(";
    for (std::size_t i = 0; i < D; ++i) text << (i == 0 ? "" : ", ") << index[i];
    text << ")";
  }

 private:
  static constexpr std::uint64_t kMask = ~std::uint64_t{0} >> (64 - kBits);
  static constexpr std::uint64_t shifted(std::uint64_t number) { return D == 1 ? 0 : number << kBits % 64; }
  static constexpr std::int64_t low_bits(std::uint64_t bits) {
    return static_cast<std::int64_t>(bits << (64 - kBits)) >> (64 - kBits);
  }
};

template <>
struct IndexNumber<Index> {
  using Three = IndexNumber<Coordinates<3>>;
  static std::uint64_t of(Index index) { return Three::of({{index.x, index.y, index.z}}); }
  static constexpr Index index(std::uint64_t number) {
    const Coordinates<3> at = Three::index(number);
    return {static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])};
  }
  static void say(std::uint64_t number, ShortText& text) { Three::say(number, text); }
};

/// A type that can be the second argument of Chare.
template <class I>
concept ArrayIndex = requires(const I index) {
  { IndexNumber<I>::of(index) } -> std::convertible_to<std::uint64_t>;
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace kaon::chares {

/// Place of an element in an array of up to three dimensions; a dimension that is not used is 0.
struct Index {
  int x = 0, y = 0, z = 0;

  constexpr Index() = default;
  constexpr Index(int x_, int y_ = 0, int z_ = 0) : x(x_), y(y_), z(z_) {}  // NOLINT: array[7] is meant to work
  friend constexpr bool operator==(const Index&, const Index&) = default;
  friend constexpr auto operator<=>(const Index&, const Index&) = default;
  /// As boost::hash and keyed inboxes ask for it.
  friend constexpr std::size_t hash_value(const Index& index) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    std::uint64_t hash = 0;
    for (const int part : {index.x, index.y, index.z}) hash = (hash + static_cast<std::uint32_t>(part)) * kOdd;
    return hash;
  }

  template <class Archive>
  void pup(Archive& archive) {
    archive(x, y, z);
  }
};

/// Numbers of elements along each dimension.
struct Shape {
  int x = 1, y = 1, z = 1;

  constexpr Shape() = default;
  constexpr Shape(int x_, int y_ = 1, int z_ = 1) : x(x_), y(y_), z(z_) {}  // NOLINT: create<C>(1000) is meant to work
  friend constexpr bool operator==(const Shape&, const Shape&) = default;

  template <class Archive>
  void pup(Archive& archive) {
    archive(x, y, z);
  }

  /// Of an array that has no shape: its elements come and go.
  static constexpr Shape sparse() { return {0, 0, 0}; }
  constexpr bool is_sparse() const { return x == 0; }

  constexpr std::uint64_t count() const {
    return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(z);
  }
  constexpr bool contains(Index i) const {
    return static_cast<unsigned>(i.x) < static_cast<unsigned>(x) &&
           static_cast<unsigned>(i.y) < static_cast<unsigned>(y) &&
           static_cast<unsigned>(i.z) < static_cast<unsigned>(z);
  }
  /// z runs fastest.
  constexpr std::uint64_t linear(Index i) const {
    return (static_cast<std::uint64_t>(i.x) * static_cast<std::uint64_t>(y) + static_cast<std::uint64_t>(i.y)) *
               static_cast<std::uint64_t>(z) +
           static_cast<std::uint64_t>(i.z);
  }
  constexpr Index index(std::uint64_t linear) const {
    const auto depth = static_cast<std::uint64_t>(z), width = static_cast<std::uint64_t>(y);
    return {static_cast<int>(linear / depth / width), static_cast<int>(linear / depth % width),
            static_cast<int>(linear % depth)};
  }
};

std::string to_string(Index index);
std::string to_string(Shape shape);
/// Throws UsageError unless every dimension is positive and the count fits in 2^40.
void check(Shape shape);
[[noreturn]] void throw_outside(Index index, Shape shape);

}  // namespace kaon::chares

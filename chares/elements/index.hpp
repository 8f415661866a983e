// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
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
  /// The hash of an index, for boost::hash and keyed inboxes.
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

/// Numbers of elements along each dimension, of which there are 1 to 6. Those beyond the third are of classes that have
/// Coordinates<D> for their index.
struct Shape {
  int x = 1, y = 1, z = 1;
  std::array<int, 3> more{1, 1, 1};  // the fourth to the sixth

  constexpr Shape() = default;
  constexpr Shape(int x_, int y_ = 1, int z_ = 1, int fourth = 1, int fifth = 1, int sixth = 1)  // NOLINT: create<C>(9)
      : x(x_), y(y_), z(z_), more{fourth, fifth, sixth} {}
  friend constexpr bool operator==(const Shape&, const Shape&) = default;

  template <class Archive>
  void pup(Archive& archive) {
    archive(x, y, z, more);
  }

  /// The shape of a sparse array, which has no extents: its elements come and go.
  static constexpr Shape sparse() { return {0, 0, 0}; }
  constexpr bool is_sparse() const { return x == 0; }

  static constexpr std::size_t kMostDimensions = 6;
  constexpr int extent(std::size_t dimension) const {
    return dimension == 0 ? x : dimension == 1 ? y : dimension == 2 ? z : more[dimension - 3];
  }
  /// The number of dimensions that distinguish the elements, at least three.
  constexpr std::size_t dimensions() const {
    std::size_t count = kMostDimensions;
    while (count > 3 && extent(count - 1) == 1) --count;
    return count;
  }
  constexpr std::uint64_t count() const {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < kMostDimensions; ++i) product *= static_cast<std::uint64_t>(extent(i));
    return product;
  }

  // --- of arrays of up to three dimensions
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
/// Throws UsageError where an index of so many parts would not tell all elements apart.
void check_dimensions(Shape shape, std::size_t dimensions);
[[noreturn]] void throw_outside(const std::string& index, Shape shape);

}  // namespace kaon::chares

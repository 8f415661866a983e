// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/index.hpp"

#include "kaon/chares/elements/index_number.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {
namespace {

std::string triple(int x, int y, int z, const char* separator) {
  return std::to_string(x) + separator + std::to_string(y) + separator + std::to_string(z);
}

}  // namespace

std::string to_string(Index index) { return "(" + triple(index.x, index.y, index.z, ", ") + ")"; }
std::string to_string(Shape shape) {
  std::string text = triple(shape.x, shape.y, shape.z, " x ");
  for (std::size_t i = 3; i < shape.dimensions(); ++i) text += " x " + std::to_string(shape.extent(i));
  return text;
}

void check(Shape shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < Shape::kMostDimensions; ++i) {
    if (shape.extent(i) <= 0)
      throw UsageError("an array of " + to_string(shape) + " elements cannot be: every dimension must be at least 1");
    if (count <= kMost) count *= static_cast<std::uint64_t>(shape.extent(i));
  }
  if (count > kMost)
    throw UsageError("an array of " + to_string(shape) + " elements is too large: at most 2^40 are possible");
}

void check_dimensions(Shape shape, std::size_t dimensions) {
  if (shape.is_sparse()) return check(shape);  // says that no dimension may be 0
  if (shape.dimensions() > dimensions)
    throw UsageError("an array of " + to_string(shape) + " elements has more dimensions than the index of its class: " +
                     "derive it from kaon::Chare<C, kaon::Coordinates<D>>");
}

void throw_part_too_large(std::int64_t part, int bits) {
  const std::int64_t end = std::int64_t{1} << (bits - 1);
  throw UsageError("an index has a part of " + std::to_string(part) +
                   ", where in a sparse array of so many dimensions " + std::to_string(-end) + " to " +
                   std::to_string(end - 1) + " are possible: use fewer dimensions, or an index of your own");
}

void throw_outside(const std::string& index, Shape shape) {
  throw UsageError("index " + index + " is outside the array of " + to_string(shape) +
                   " elements: each part runs from 0 to one below its dimension");
}

}  // namespace kaon::chares

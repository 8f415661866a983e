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
std::string to_string(Shape shape) { return triple(shape.x, shape.y, shape.z, " x "); }

void check(Shape shape) {
  if (shape.x <= 0 || shape.y <= 0 || shape.z <= 0)
    throw UsageError("an array of " + to_string(shape) + " elements cannot be: every dimension must be at least 1");
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  const auto plane = static_cast<std::uint64_t>(shape.x) * static_cast<std::uint64_t>(shape.y);
  if (plane > kMost || plane * static_cast<std::uint64_t>(shape.z) > kMost)
    throw UsageError("an array of " + to_string(shape) + " elements is too large: at most 2^40 are possible");
}

void throw_part_too_large(std::int64_t part, int bits) {
  const std::int64_t end = std::int64_t{1} << (bits - 1);
  throw UsageError("an index has a part of " + std::to_string(part) +
                   ", where in a sparse array of so many dimensions " + std::to_string(-end) + " to " +
                   std::to_string(end - 1) + " are possible: use fewer dimensions, or an index of your own");
}

void throw_outside(Index index, Shape shape) {
  throw UsageError("index " + to_string(index) + " is outside the array of " + to_string(shape) +
                   " elements: each part runs from 0 to one below its dimension");
}

}  // namespace kaon::chares

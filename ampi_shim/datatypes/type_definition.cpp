// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/type_definition.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

namespace {

[[noreturn]] void raise_too_large() {
  throw MpiFault(MPI_ERR_VALUE_TOO_LARGE, "the datatype would have more bytes than 63 bits can count");
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) raise_too_large();
  return result;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) raise_too_large();
  return result;
}

/// Bounds that a type was given may have the upper one below the lower one.
struct Range {
  std::int64_t lower = std::numeric_limits<std::int64_t>::max();
  std::int64_t upper = std::numeric_limits<std::int64_t>::min();

  bool is_empty() const {
    return lower == std::numeric_limits<std::int64_t>::max() && upper == std::numeric_limits<std::int64_t>::min();
  }
  void add(const Range& other) {
    lower = std::min(lower, other.lower);
    upper = std::max(upper, other.upper);
  }
  Range moved(std::int64_t bytes) const { return {plus(lower, bytes), plus(upper, bytes)}; }
  /// Around `count` of it, `stride` apart.
  Range repeated(std::int64_t count, std::int64_t stride) const {
    if (is_empty()) return *this;
    const std::int64_t last = times(count - 1, stride);
    Range range = *this;
    range.add(moved(last));
    return range;
  }
};

/// The two kinds of bounds that a list of blocks has: of its bytes, and those that types in it were given.
struct Ranges {
  Range data;
  Range set;

  void add(const TypeDefinition& type, const TypeElements::Block& block) {
    const TypeBounds& bounds = type.bounds;
    const std::int64_t extent = bounds.extent();
    if (type.size > 0)
      data.add(Range{bounds.true_lower, bounds.true_upper}.repeated(block.length, extent).moved(block.displacement));
    if (bounds.are_set)
      set.add(Range{bounds.lower, bounds.upper}.repeated(block.length, extent).moved(block.displacement));
  }
};

std::int64_t rounded_up(std::int64_t bytes, std::int64_t alignment) {
  const std::int64_t over = bytes % alignment;
  return over == 0 ? bytes : plus(bytes, alignment - over);
}

TypeBounds bounds_of(const TypeElements& elements) {
  TypeBounds bounds;
  Ranges ranges;
  for (std::size_t i = 0; i < elements.blocks.size(); ++i) {
    if (elements.blocks[i].length == 0 || elements.count == 0) continue;
    const TypeDefinition& type = elements.type_of(i);
    ranges.add(type, elements.blocks[i]);
    bounds.alignment = std::max(bounds.alignment, type.bounds.alignment);
  }
  if (!ranges.data.is_empty()) {
    const Range data = ranges.data.repeated(elements.count, elements.stride);
    bounds.true_lower = bounds.lower = data.lower;
    bounds.true_upper = data.upper;
    bounds.upper = plus(data.lower, rounded_up(plus(data.upper, -data.lower), bounds.alignment));
  }
  if (!ranges.set.is_empty()) {
    const Range set = ranges.set.repeated(elements.count, elements.stride);
    bounds.lower = set.lower;
    bounds.upper = set.upper;
    bounds.are_set = true;
  }
  return bounds;
}

Layout layout_of(const TypeElements& elements) {
  std::vector<Layout> parts;
  parts.reserve(elements.blocks.size());
  for (std::size_t i = 0; i < elements.blocks.size(); ++i) {
    const TypeElements::Block& block = elements.blocks[i];
    const TypeDefinition& type = elements.type_of(i);
    const Layout& one = block.length > 1 ? type.element : type.layout;
    parts.push_back(one.repeated(block.length, type.bounds.extent()).moved(block.displacement));
  }
  return joined(std::move(parts)).repeated(elements.count, elements.stride);
}

/// As one repetition of something, unless repeating the type only makes its own loop longer.
Layout element_of(const Layout& layout, const TypeBounds& bounds) {
  return layout.count > 1 && bounds.extent() == layout.count * layout.stride ? layout : layout.as_one();
}

/// Sums over the blocks, and whether all elements are alike.
void count_contents(TypeDefinition& type) {
  const TypeElements& elements = type.elements;
  for (std::size_t i = 0; i < elements.blocks.size(); ++i) {
    const std::int64_t length = elements.blocks[i].length;
    const TypeDefinition& part = elements.type_of(i);
    const std::int64_t bytes = times(length, part.size);
    if (bytes == 0) continue;
    type.equal_bytes = type.size == 0 || type.equal_bytes == part.equal_bytes ? part.equal_bytes : 0;
    type.size = plus(type.size, bytes);
    type.external_bytes = plus(type.external_bytes, times(length, part.external_bytes));
    type.signature = type.signature.followed_by(part.signature.repeated(length));
  }
  type.size = times(type.size, elements.count);
  type.external_bytes = times(type.external_bytes, elements.count);
  type.signature = type.signature.repeated(elements.count);
}

}  // namespace

TypeDefinition define_basic(const BasicType& basic) {
  TypeDefinition type;
  type.size = type.equal_bytes = basic.bytes();
  type.external_bytes = basic.external_bytes;
  type.bounds.upper = type.bounds.true_upper = type.size;
  type.bounds.alignment = basic.alignment();
  type.signature = Signature(basic);
  type.layout = type.element = Layout::run(0, type.size);
  type.basic = &basic;
  type.predefined = basic.handle;
  return type;
}

TypeDefinition define(TypeElements elements) {
  TypeDefinition type;
  type.elements = std::move(elements);
  count_contents(type);
  type.bounds = bounds_of(type.elements);
  type.layout = layout_of(type.elements);
  type.element = element_of(type.layout, type.bounds);
  return type;
}

// Types made of types made of types... would end each other to any depth of the stack, and a rank's is small.
TypeDefinition::~TypeDefinition() {
  std::vector<TypeDefinitionPtr> last;
  const auto take = [&last](std::vector<TypeDefinitionPtr>& types) {
    std::move(types.begin(), types.end(), std::back_inserter(last));
    types.clear();
  };
  take(elements.types);
  take(recipe.types);
  while (!last.empty()) {
    const TypeDefinitionPtr type = std::move(last.back());
    last.pop_back();
    if (type.use_count() > 1) continue;
    auto& ours = const_cast<TypeDefinition&>(*type);  // nobody else sees it any more
    take(ours.elements.types);
    take(ours.recipe.types);
  }
}

}  // namespace kaon::ampi

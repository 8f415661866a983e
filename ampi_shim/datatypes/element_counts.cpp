// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/type_definition.hpp"

namespace kaon::ampi {

namespace {

constexpr std::int64_t kCut = MPI_UNDEFINED;

/// One of two measures of a type, bytes or basic elements, and the other one.
using Measure = std::int64_t (*)(const TypeDefinition&);
std::int64_t size_of(const TypeDefinition& type) { return type.size; }
std::int64_t elements_of(const TypeDefinition& type) { return type.signature.elements(); }

/// How much of `to` the first `amount` in `from` is, when a stream of the type is walked; -1: it ends in an element.
std::int64_t converted(const TypeDefinition& type, std::int64_t amount, Measure from, Measure to) {
  if (from(type) == 0) return 0;
  std::int64_t result = amount / from(type) * to(type);
  std::int64_t rest = amount % from(type);
  if (rest == 0) return result;
  const TypeElements& elements = type.elements;
  if (elements.blocks.empty()) return -1;
  const std::int64_t round = from(type) / elements.count;
  result += rest / round * (to(type) / elements.count);
  rest %= round;
  for (std::size_t i = 0; rest > 0; ++i) {
    const TypeDefinition& part = elements.type_of(i);
    const std::int64_t length = elements.blocks[i].length;
    if (rest < length * from(part)) {
      const std::int64_t inside = converted(part, rest, from, to);
      return inside < 0 ? -1 : result + inside;
    }
    result += length * to(part);
    rest -= length * from(part);
  }
  return result;
}

}  // namespace

std::int64_t elements_in(const TypeDefinition& type, std::int64_t bytes) {
  if (type.equal_bytes > 0) return bytes % type.equal_bytes == 0 ? bytes / type.equal_bytes : kCut;
  const std::int64_t elements = converted(type, bytes, size_of, elements_of);
  return elements < 0 ? kCut : elements;
}

std::int64_t bytes_of_elements(const TypeDefinition& type, std::int64_t elements) {
  return converted(type, elements, elements_of, size_of);
}

}  // namespace kaon::ampi

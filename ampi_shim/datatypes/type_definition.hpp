// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "kaon/ampi_shim/datatypes/layout.hpp"
#include "kaon/ampi_shim/datatypes/recipe.hpp"
#include "kaon/ampi_shim/datatypes/signature.hpp"

namespace kaon::ampi {

/// The elements of a datatype in one form for all constructors: a list of blocks, the whole of it `count` times and
/// `stride` bytes apart.
struct TypeElements {
  struct Block {
    std::int64_t displacement;  // bytes
    std::int64_t length;        // elements of its type
  };
  std::int64_t count = 1;
  std::int64_t stride = 0;
  std::vector<Block> blocks;
  std::vector<TypeDefinitionPtr> types;  // one for all blocks, or one for each

  const TypeDefinition& type_of(std::size_t block) const { return *types[types.size() == 1 ? 0 : block]; }
};

/// Where data begin and end: true bounds are those of the bytes, others may be set (MPI_Type_create_resized) or
/// rounded.
struct TypeBounds {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t true_lower = 0;
  std::int64_t true_upper = 0;
  int alignment = 1;     // that the largest of the basic types needs
  bool are_set = false;  // and so are those of all types made of it

  std::int64_t extent() const { return upper - lower; }
};

/// The definition of a datatype, without its handle. It never changes; duplicates and types made of it share it.
struct TypeDefinition {
  TypeDefinition() = default;
  TypeDefinition(TypeDefinition&&) = default;
  TypeDefinition& operator=(TypeDefinition&&) = default;
  ~TypeDefinition();

  std::int64_t size = 0;            // bytes of data
  std::int64_t external_bytes = 0;  // in the external32 representation
  std::int64_t equal_bytes = 0;     // of each basic element when all have the same; else 0
  TypeBounds bounds;
  Signature signature;
  Layout layout;          // of one element
  Layout element;         // the same as one repetition of something, to be repeated by its extent
  TypeElements elements;  // of no blocks: a basic type
  const BasicType* basic = nullptr;
  const PairType* pair = nullptr;
  MPI_Datatype predefined = MPI_DATATYPE_NULL;  // the handle of a named type
  TypeRecipe recipe;

  /// `count` elements are one run of bytes from `layout.offset` on.
  bool is_run(std::int64_t count) const { return layout.is_run() && (count <= 1 || size == bounds.extent()); }
};

TypeDefinition define_basic(const BasicType& type);
/// Throws MpiFault when its bytes cannot be counted in 64 bits.
TypeDefinition define(TypeElements elements);

/// The number of basic elements that so many bytes of a stream of this type hold; MPI_UNDEFINED: the last is cut.
std::int64_t elements_in(const TypeDefinition& type, std::int64_t bytes);
/// The way back: how many bytes so many basic elements take.
std::int64_t bytes_of_elements(const TypeDefinition& type, std::int64_t elements);

}  // namespace kaon::ampi

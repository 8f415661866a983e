// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/constructors.hpp"

#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

namespace {

void check_count(std::int64_t count) {
  if (count < 0) throw MpiFault(MPI_ERR_COUNT, "the count of a datatype is negative: " + std::to_string(count));
}

void check_length(std::int64_t length) {
  if (length < 0) throw MpiFault(MPI_ERR_COUNT, "a block length of a datatype is negative: " + std::to_string(length));
}

std::int64_t in_bytes(std::int64_t elements, const TypeDefinition& type) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, type.bounds.extent(), &bytes))
    throw MpiFault(MPI_ERR_VALUE_TOO_LARGE, "a displacement of a datatype does not fit into 64 bits");
  return bytes;
}

TypeDefinitionPtr finished(TypeElements elements, TypeRecipe recipe) {
  TypeDefinition type = define(std::move(elements));
  type.recipe = std::move(recipe);
  return std::make_shared<const TypeDefinition>(std::move(type));
}

TypeElements loop(std::int64_t count, std::int64_t stride, std::int64_t length, TypeDefinitionPtr type) {
  return {count, stride, {{0, length}}, {std::move(type)}};
}

/// A list of blocks, whose displacements count `unit` bytes.
TypeElements list(std::int64_t count, CountArray displacements, const TypeDefinitionPtr& type, bool in_elements) {
  TypeElements elements;
  elements.types = {type};
  elements.blocks.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    elements.blocks[static_cast<std::size_t>(i)].displacement =
        in_elements ? in_bytes(displacements[i], *type) : displacements[i];
  return elements;
}

TypeElements list_of_lengths(std::int64_t count, CountArray blocklengths, CountArray displacements,
                             const TypeDefinitionPtr& type, bool in_elements) {
  check_count(count);
  TypeElements elements = list(count, displacements, type, in_elements);
  for (std::int64_t i = 0; i < count; ++i) {
    check_length(blocklengths[i]);
    elements.blocks[static_cast<std::size_t>(i)].length = blocklengths[i];
  }
  return elements;
}

TypeElements list_of_one_length(std::int64_t count, std::int64_t blocklength, CountArray displacements,
                                const TypeDefinitionPtr& type, bool in_elements) {
  check_count(count);
  check_length(blocklength);
  TypeElements elements = list(count, displacements, type, in_elements);
  for (TypeElements::Block& block : elements.blocks) block.length = blocklength;
  return elements;
}

}  // namespace

TypeDefinitionPtr contiguous(CountForm form, std::int64_t count, TypeDefinitionPtr type) {
  check_count(count);
  TypeRecipe recipe(MPI_COMBINER_CONTIGUOUS, form);
  recipe.count(count).type(type);
  return finished(loop(1, 0, count, std::move(type)), std::move(recipe));
}

TypeDefinitionPtr vector(CountForm form, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                         TypeDefinitionPtr type) {
  check_count(count);
  check_length(blocklength);
  TypeRecipe recipe(MPI_COMBINER_VECTOR, form);
  recipe.count(count).count(blocklength).count(stride).type(type);
  const std::int64_t bytes = in_bytes(stride, *type);
  return finished(loop(count, bytes, blocklength, std::move(type)), std::move(recipe));
}

TypeDefinitionPtr hvector(CountForm form, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                          TypeDefinitionPtr type) {
  check_count(count);
  check_length(blocklength);
  TypeRecipe recipe(MPI_COMBINER_HVECTOR, form);
  recipe.count(count).count(blocklength).address(stride).type(type);
  return finished(loop(count, stride, blocklength, std::move(type)), std::move(recipe));
}

TypeDefinitionPtr indexed(CountForm form, std::int64_t count, CountArray blocklengths, CountArray displacements,
                          TypeDefinitionPtr type) {
  TypeElements elements = list_of_lengths(count, blocklengths, displacements, type, true);
  TypeRecipe recipe(MPI_COMBINER_INDEXED, form);
  recipe.count(count).counts(blocklengths, count).counts(displacements, count).type(std::move(type));
  return finished(std::move(elements), std::move(recipe));
}

TypeDefinitionPtr hindexed(CountForm form, std::int64_t count, CountArray blocklengths, CountArray displacements,
                           TypeDefinitionPtr type) {
  TypeElements elements = list_of_lengths(count, blocklengths, displacements, type, false);
  TypeRecipe recipe(MPI_COMBINER_HINDEXED, form);
  recipe.count(count).counts(blocklengths, count).addresses_of(displacements, count).type(std::move(type));
  return finished(std::move(elements), std::move(recipe));
}

TypeDefinitionPtr indexed_block(CountForm form, std::int64_t count, std::int64_t blocklength, CountArray displacements,
                                TypeDefinitionPtr type) {
  TypeElements elements = list_of_one_length(count, blocklength, displacements, type, true);
  TypeRecipe recipe(MPI_COMBINER_INDEXED_BLOCK, form);
  recipe.count(count).count(blocklength).counts(displacements, count).type(std::move(type));
  return finished(std::move(elements), std::move(recipe));
}

TypeDefinitionPtr hindexed_block(CountForm form, std::int64_t count, std::int64_t blocklength, CountArray displacements,
                                 TypeDefinitionPtr type) {
  TypeElements elements = list_of_one_length(count, blocklength, displacements, type, false);
  TypeRecipe recipe(MPI_COMBINER_HINDEXED_BLOCK, form);
  recipe.count(count).count(blocklength).addresses_of(displacements, count).type(std::move(type));
  return finished(std::move(elements), std::move(recipe));
}

TypeDefinitionPtr structure(CountForm form, CountArray blocklengths, CountArray displacements,
                            std::vector<TypeDefinitionPtr> types) {
  const auto count = static_cast<std::int64_t>(types.size());
  TypeElements elements;
  for (std::int64_t i = 0; i < count; ++i) {
    check_length(blocklengths[i]);
    elements.blocks.push_back({displacements[i], blocklengths[i]});
  }
  TypeRecipe recipe(MPI_COMBINER_STRUCT, form);
  recipe.count(count).counts(blocklengths, count).addresses_of(displacements, count);
  recipe.types = types;
  elements.types = std::move(types);
  return finished(std::move(elements), std::move(recipe));
}

TypeDefinitionPtr resized(CountForm form, TypeDefinitionPtr type, std::int64_t lower, std::int64_t extent) {
  TypeRecipe recipe(MPI_COMBINER_RESIZED, form);
  recipe.address(lower).address(extent).type(type);
  TypeDefinition result = define(loop(1, 0, 1, std::move(type)));
  result.bounds.lower = lower;
  if (__builtin_add_overflow(lower, extent, &result.bounds.upper))
    throw MpiFault(MPI_ERR_VALUE_TOO_LARGE, "the upper bound of a datatype does not fit into 64 bits");
  result.bounds.are_set = true;
  const Layout& layout = result.layout;
  result.element = layout.count > 1 && extent == layout.count * layout.stride ? layout : layout.as_one();
  result.recipe = std::move(recipe);
  return std::make_shared<const TypeDefinition>(std::move(result));
}

TypeDefinitionPtr duplicate(TypeDefinitionPtr type) {
  TypeRecipe recipe(MPI_COMBINER_DUP);
  recipe.type(type);
  TypeDefinition result = define(loop(1, 0, 1, type));
  result.basic = type->basic;  // a duplicate of MPI_INT may be summed like it
  result.pair = type->pair;
  result.recipe = std::move(recipe);
  return std::make_shared<const TypeDefinition>(std::move(result));
}

}  // namespace kaon::ampi

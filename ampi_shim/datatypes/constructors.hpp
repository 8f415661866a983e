// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "kaon/ampi_shim/datatypes/type_definition.hpp"

namespace kaon::ampi {

// The constructors of datatypes, by the names of MPI. They check what they are given, but for pointers of user's
// arrays, and throw MpiFault. Strides and displacements count elements, those of "h" constructors bytes.

TypeDefinitionPtr contiguous(CountForm form, std::int64_t count, TypeDefinitionPtr type);
TypeDefinitionPtr vector(CountForm form, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                         TypeDefinitionPtr type);
TypeDefinitionPtr hvector(CountForm form, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                          TypeDefinitionPtr type);
TypeDefinitionPtr indexed(CountForm form, std::int64_t count, CountArray blocklengths, CountArray displacements,
                          TypeDefinitionPtr type);
TypeDefinitionPtr hindexed(CountForm form, std::int64_t count, CountArray blocklengths, CountArray displacements,
                           TypeDefinitionPtr type);
TypeDefinitionPtr indexed_block(CountForm form, std::int64_t count, std::int64_t blocklength, CountArray displacements,
                                TypeDefinitionPtr type);
TypeDefinitionPtr hindexed_block(CountForm form, std::int64_t count, std::int64_t blocklength, CountArray displacements,
                                 TypeDefinitionPtr type);
TypeDefinitionPtr structure(CountForm form, CountArray blocklengths, CountArray displacements,
                            std::vector<TypeDefinitionPtr> types);
TypeDefinitionPtr resized(CountForm form, TypeDefinitionPtr type, std::int64_t lower, std::int64_t extent);
TypeDefinitionPtr duplicate(TypeDefinitionPtr type);

/// The arguments of MPI_Type_create_subarray.
struct Subarray {
  int dimensions;
  CountArray sizes;
  CountArray subsizes;
  CountArray starts;
  int order;
};
TypeDefinitionPtr subarray(CountForm form, const Subarray& array, TypeDefinitionPtr type);

/// The arguments of MPI_Type_create_darray.
struct DistributedArray {
  int size;
  int rank;
  int dimensions;
  CountArray global_sizes;
  const int* distributions;
  const int* distribution_arguments;
  const int* process_sizes;
  int order;
};
TypeDefinitionPtr distributed_array(CountForm form, const DistributedArray& array, TypeDefinitionPtr type);

}  // namespace kaon::ampi

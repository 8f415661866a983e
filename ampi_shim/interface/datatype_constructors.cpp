// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

// A datatype records the width of the function that made it, for MPI_Type_get_contents.
namespace kaon::ampi::int_counts {
constexpr CountForm kForm = CountForm::kInt;
}
namespace kaon::ampi::large_counts {
constexpr CountForm kForm = CountForm::kLarge;
}

KAON_BOTH_WIDTHS(MPI_Type_contiguous, (Count count, MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype,
                                  [&](TypeDefinitionPtr type) { return contiguous(kForm, count, type); }))

KAON_BOTH_WIDTHS(MPI_Type_vector,
                 (Count count, Count blocklength, Count stride, MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return vector(kForm, count, blocklength, stride, type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_hvector,
                 (Count count, Count blocklength, Bytes stride, MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return hvector(kForm, count, blocklength, stride, type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_indexed,
                 (Count count, const Count array_of_blocklengths[], const Count array_of_displacements[],
                  MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return indexed(kForm, count, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                                  array_argument(array_of_displacements, count, "array_of_displacements"), type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_hindexed,
                 (Count count, const Count array_of_blocklengths[], const Bytes array_of_displacements[],
                  MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return hindexed(kForm, count, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                                   array_argument(array_of_displacements, count, "array_of_displacements"), type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_indexed_block,
                 (Count count, Count blocklength, const Count array_of_displacements[], MPI_Datatype oldtype,
                  MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return indexed_block(kForm, count, blocklength,
                                        array_argument(array_of_displacements, count, "array_of_displacements"), type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_hindexed_block,
                 (Count count, Count blocklength, const Bytes array_of_displacements[], MPI_Datatype oldtype,
                  MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   return hindexed_block(kForm, count, blocklength,
                                         array_argument(array_of_displacements, count, "array_of_displacements"), type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_struct,
                 (Count count, const Count array_of_blocklengths[], const Bytes array_of_displacements[],
                  const MPI_Datatype array_of_types[], MPI_Datatype* newtype),
                 return mpi_call(function, [&] {
                   require_place(newtype, "newtype");
                   require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
                   array_argument(array_of_types, count, "array_of_types");
                   *newtype = new_handle(
                       structure(kForm, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                                 array_argument(array_of_displacements, count, "array_of_displacements"),
                                 type_definitions(count, array_of_types)));
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_resized, (MPI_Datatype oldtype, Bytes lb, Bytes extent, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype,
                                  [&](TypeDefinitionPtr type) { return resized(kForm, type, lb, extent); }))

KAON_BOTH_WIDTHS(MPI_Type_create_subarray,
                 (int ndims, const Count array_of_sizes[], const Count array_of_subsizes[],
                  const Count array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   const Subarray array{ndims, array_argument(array_of_sizes, ndims, "array_of_sizes"),
                                        array_argument(array_of_subsizes, ndims, "array_of_subsizes"),
                                        array_argument(array_of_starts, ndims, "array_of_starts"), order};
                   return subarray(kForm, array, type);
                 }))

KAON_BOTH_WIDTHS(MPI_Type_create_darray,
                 (int size, int rank, int ndims, const Count array_of_gsizes[], const int array_of_distribs[],
                  const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype,
                  MPI_Datatype* newtype),
                 return make_type(function, oldtype, newtype, [&](TypeDefinitionPtr type) {
                   const DistributedArray array{size,
                                                rank,
                                                ndims,
                                                array_argument(array_of_gsizes, ndims, "array_of_gsizes"),
                                                array_argument(array_of_distribs, ndims, "array_of_distribs"),
                                                array_argument(array_of_dargs, ndims, "array_of_dargs"),
                                                array_argument(array_of_psizes, ndims, "array_of_psizes"),
                                                order};
                   return distributed_array(kForm, array, type);
                 }))

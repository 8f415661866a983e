// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

constexpr CountForm kForm = CountForm::kLarge;

}  // namespace

extern "C" {

int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_contiguous_c", oldtype, newtype,
                   [&](TypeDefinitionPtr type) { return contiguous(kForm, count, type); });
}

int MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                      MPI_Datatype* newtype) {
  return make_type("MPI_Type_vector_c", oldtype, newtype,
                   [&](TypeDefinitionPtr type) { return vector(kForm, count, blocklength, stride, type); });
}

int MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_hvector_c", oldtype, newtype,
                   [&](TypeDefinitionPtr type) { return hvector(kForm, count, blocklength, stride, type); });
}

int MPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                       const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_indexed_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    return indexed(kForm, count, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                   array_argument(array_of_displacements, count, "array_of_displacements"), type);
  });
}

int MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                               const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_hindexed_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    return hindexed(kForm, count, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                    array_argument(array_of_displacements, count, "array_of_displacements"), type);
  });
}

int MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                    MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_indexed_block_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    return indexed_block(kForm, count, blocklength,
                         array_argument(array_of_displacements, count, "array_of_displacements"), type);
  });
}

int MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[],
                                     MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_hindexed_block_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    return hindexed_block(kForm, count, blocklength,
                          array_argument(array_of_displacements, count, "array_of_displacements"), type);
  });
}

int MPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                             const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                             MPI_Datatype* newtype) {
  return mpi_call("MPI_Type_create_struct_c", [&] {
    require_place(newtype, "newtype");
    require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
    array_argument(array_of_types, count, "array_of_types");
    *newtype = new_handle(structure(kForm, array_argument(array_of_blocklengths, count, "array_of_blocklengths"),
                                    array_argument(array_of_displacements, count, "array_of_displacements"),
                                    type_definitions(count, array_of_types)));
  });
}

int MPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_resized_c", oldtype, newtype,
                   [&](TypeDefinitionPtr type) { return resized(kForm, type, lb, extent); });
}

int MPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
                               const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                               MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_subarray_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    const Subarray array{ndims, array_argument(array_of_sizes, ndims, "array_of_sizes"),
                         array_argument(array_of_subsizes, ndims, "array_of_subsizes"),
                         array_argument(array_of_starts, ndims, "array_of_starts"), order};
    return subarray(kForm, array, type);
  });
}

int MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                             const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[],
                             int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return make_type("MPI_Type_create_darray_c", oldtype, newtype, [&](TypeDefinitionPtr type) {
    const DistributedArray array{size,
                                 rank,
                                 ndims,
                                 array_argument(array_of_gsizes, ndims, "array_of_gsizes"),
                                 array_argument(array_of_distribs, ndims, "array_of_distribs"),
                                 array_argument(array_of_dargs, ndims, "array_of_dargs"),
                                 array_argument(array_of_psizes, ndims, "array_of_psizes"),
                                 order};
    return distributed_array(kForm, array, type);
  });
}

}  // extern "C"

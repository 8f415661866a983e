// SPDX-License-Identifier: Apache-2.0
// Functions of MPI-1 that MPI-3.0 removed: each is a later one by its old name.
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

extern "C" {

int MPI_Address(void* location, MPI_Aint* address) { return MPI_Get_address(location, address); }

int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype* newtype) {
  return MPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                    MPI_Datatype array_of_types[], MPI_Datatype* newtype) {
  return MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  return mpi_call("MPI_Type_extent", [&] {
    require_place(extent, "extent");
    *extent = type_argument(datatype).extent();
  });
}

int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  return mpi_call("MPI_Type_lb", [&] {
    require_place(displacement, "displacement");
    *displacement = type_argument(datatype).lower_bound();
  });
}

int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  return mpi_call("MPI_Type_ub", [&] {
    require_place(displacement, "displacement");
    const Datatype& type = type_argument(datatype);
    *displacement = type.lower_bound() + type.extent();
  });
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// Types that are found by what they can hold.
#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

extern "C" {

int MPI_Type_create_f90_real(int p, int r, MPI_Datatype* newtype) {
  return mpi_call("MPI_Type_create_f90_real", [&] {
    require_place(newtype, "newtype");
    *newtype = fortran_real(p, r)->handle();
  });
}

int MPI_Type_create_f90_complex(int p, int r, MPI_Datatype* newtype) {
  return mpi_call("MPI_Type_create_f90_complex", [&] {
    require_place(newtype, "newtype");
    *newtype = fortran_complex(p, r)->handle();
  });
}

int MPI_Type_create_f90_integer(int r, MPI_Datatype* newtype) {
  return mpi_call("MPI_Type_create_f90_integer", [&] {
    require_place(newtype, "newtype");
    *newtype = fortran_integer(r)->handle();
  });
}

int MPI_Type_match_size(int typeclass, int size, MPI_Datatype* datatype) {
  return mpi_call("MPI_Type_match_size", [&] {
    require_place(datatype, "datatype");
    const Datatype* type = type_of_size(typeclass, size);
    require(type != nullptr, MPI_ERR_ARG, "no type of this class has {} bytes", size);
    *datatype = type->handle();
  });
}

int MPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype* pair_type) {
  return mpi_call("MPI_Type_get_value_index", [&] {
    require_place(pair_type, "pair_type");
    const Datatype& value = type_argument(value_type);
    const Datatype& index = type_argument(index_type);
    const Datatype* pair = pair_of(value.handle(), index.handle());
    *pair_type = pair != nullptr ? pair->handle() : MPI_DATATYPE_NULL;
  });
}

}  // extern "C"

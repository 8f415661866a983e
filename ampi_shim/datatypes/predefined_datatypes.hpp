// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi {

// Named and unnamed types that the program does not make of others. They belong to no rank and are never freed.

/// MPI_TYPECLASS_INTEGER, _REAL or _COMPLEX of so many bytes; null: there is none.
Datatype* type_of_size(int type_class, int bytes);
/// The pair of these; null: there is none.
Datatype* pair_of(MPI_Datatype value, MPI_Datatype index);

/// The types of Fortran's kinds, by decimal digits and decimal exponents, each of which may be MPI_UNDEFINED; the same
/// object for the same question. Throws MpiFault when no type has as many.
Datatype* fortran_real(int digits, int exponent);
Datatype* fortran_complex(int digits, int exponent);
Datatype* fortran_integer(int digits);

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>

#include "kaon/ampi_shim/datatypes/basic_type.hpp"
#include "kaon/ampi_shim/datatypes/operation.hpp"

namespace kaon::ampi {

// The loops of predefined operations; null: the operation is not allowed on the type. Beyond the standard MPI_CHAR is
// an integer like the other chars, and the multi-language types have logical operations: other libraries allow it, and
// programs rely on it.

/// The kernel of MPI_NO_OP.
inline void do_nothing(const void*, void*, std::int64_t) {}

ReductionKernel* basic_kernel(MPI_Op operation, const BasicType& type);
ReductionKernel* pair_kernel(MPI_Op operation, const PairType& type);

// Of one kind of numbers each; null: not among them.
ReductionKernel* arithmetic_kernel(MPI_Op operation, Number number);
ReductionKernel* bitwise_kernel(MPI_Op operation, Number number);
ReductionKernel* logical_kernel(MPI_Op operation, Number number);
ReductionKernel* complex_kernel(MPI_Op operation, Number number);

}  // namespace kaon::ampi

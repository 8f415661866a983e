// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include "kaon/ampi_shim/datatypes/operation.hpp"

namespace kaon::ampi {

/// Throws MpiFault with MPI_ERR_OP: it is no operation, or a freed one.
Operation& operation_argument(MPI_Op handle);
/// Also when it cannot reduce elements of the type.
Operation& operation_argument(MPI_Op handle, const Datatype& type);

}  // namespace kaon::ampi

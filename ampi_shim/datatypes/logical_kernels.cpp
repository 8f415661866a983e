// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"
#include "kaon/ampi_shim/datatypes/reduction_loops.hpp"

namespace kaon::ampi {

namespace {

template <class T>
ReductionKernel* logical(MPI_Op operation) {
  if (operation == MPI_LAND) return &reduce_loop<T, LogicalAnd>;
  if (operation == MPI_LOR) return &reduce_loop<T, LogicalOr>;
  if (operation == MPI_LXOR) return &reduce_loop<T, LogicalXor>;
  return nullptr;
}

}  // namespace

ReductionKernel* logical_kernel(MPI_Op operation, Number number) {
  return with_number_type(
      number, [operation](auto type) -> ReductionKernel* { return logical<typename decltype(type)::Type>(operation); });
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"
#include "kaon/ampi_shim/datatypes/reduction_loops.hpp"

namespace kaon::ampi {

namespace {

template <class T>
ReductionKernel* arithmetic(MPI_Op operation) {
  if (operation == MPI_SUM) return &reduce_loop<T, Sum>;
  if (operation == MPI_PROD) return &reduce_loop<T, Product>;
  if (operation == MPI_MAX) return &reduce_loop<T, Maximum>;
  if (operation == MPI_MIN) return &reduce_loop<T, Minimum>;
  return nullptr;
}

template <class T>
ReductionKernel* bitwise(MPI_Op operation) {
  if (operation == MPI_BAND) return &reduce_loop<T, BitAnd>;
  if (operation == MPI_BOR) return &reduce_loop<T, BitOr>;
  if (operation == MPI_BXOR) return &reduce_loop<T, BitXor>;
  return nullptr;
}

}  // namespace

ReductionKernel* arithmetic_kernel(MPI_Op operation, Number number) {
  return with_number_type(number, [operation](auto type) -> ReductionKernel* {
    return arithmetic<typename decltype(type)::Type>(operation);
  });
}

ReductionKernel* bitwise_kernel(MPI_Op operation, Number number) {
  return with_number_type(number, [operation](auto type) -> ReductionKernel* {
    using T = typename decltype(type)::Type;
    if constexpr (kIsInteger<T>) return bitwise<T>(operation);
    return nullptr;
  });
}

}  // namespace kaon::ampi

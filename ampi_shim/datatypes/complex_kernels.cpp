// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"
#include "kaon/ampi_shim/datatypes/reduction_loops.hpp"

namespace kaon::ampi {

namespace {

template <class T>
struct Complex {
  T real;
  T imaginary;
};

/// The plain product, which becomes vectors; that of C asks each result whether it is a NaN, and mends infinities.
struct ComplexProduct {
  template <class C>
  static C of(C a, C b) {
    return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
  }
};

/// The sum of complex numbers is that of twice as many real ones.
template <class T>
void sum(const void* in, void* inout, std::int64_t count) {
  reduce_loop<T, Sum>(in, inout, 2 * count);
}

template <class T>
ReductionKernel* complex(MPI_Op operation) {
  if (operation == MPI_SUM) return &sum<T>;
  if (operation == MPI_PROD) return &reduce_loop<Complex<T>, ComplexProduct>;
  return nullptr;
}

}  // namespace

ReductionKernel* complex_kernel(MPI_Op operation, Number number) {
  return with_number_type(number, [operation](auto type) -> ReductionKernel* {
    using T = typename decltype(type)::Type;
    if constexpr (!kIsInteger<T>) return complex<T>(operation);
    return nullptr;
  });
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"
#include "kaon/ampi_shim/datatypes/reduction_loops.hpp"

namespace kaon::ampi {

namespace {

/// As a program declares it: the two lie in memory as in the datatype.
template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

/// Of equal values the lower index is taken.
struct MaximumLocation {
  template <class P>
  static P of(P a, P b) {
    if (a.value == b.value) return a.index < b.index ? a : b;
    return a.value > b.value ? a : b;
  }
};
struct MinimumLocation {
  template <class P>
  static P of(P a, P b) {
    if (a.value == b.value) return a.index < b.index ? a : b;
    return a.value < b.value ? a : b;
  }
};

template <class Value, class Index>
ReductionKernel* location(MPI_Op operation) {
  using P = Pair<Value, Index>;
  if (operation == MPI_MAXLOC) return &reduce_loop<P, MaximumLocation>;
  if (operation == MPI_MINLOC) return &reduce_loop<P, MinimumLocation>;
  if (operation == MPI_REPLACE) return &reduce_loop<P, Replacement>;
  return nullptr;
}

void do_nothing(const void*, void*, std::int64_t) {}

Number number_of(MPI_Datatype basic) { return Datatype::of(basic)->definition().basic->number; }

}  // namespace

ReductionKernel* pair_kernel(MPI_Op operation, const PairType& type) {
  if (operation == MPI_NO_OP) return &do_nothing;
  const bool has_equal_parts = type.value == type.index;  // the pairs of Fortran, whose index is such a number too
  return with_number_type(number_of(type.value), [=](auto value) -> ReductionKernel* {
    using Value = typename decltype(value)::Type;
    return has_equal_parts ? location<Value, Value>(operation) : location<Value, int>(operation);
  });
}

}  // namespace kaon::ampi

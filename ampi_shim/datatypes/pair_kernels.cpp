// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/datatypes/number.hpp"
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"

namespace kaon::ampi {

namespace {

/// As a program declares it: the two lie in memory as in the datatype.
template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

/// Whether the first is taken: of equal values the one with the lower index.
struct MaximumLocation {
  template <class P>
  static bool takes(const P& a, const P& b) {
    return a.value == b.value ? a.index < b.index : a.value > b.value;
  }
};
struct MinimumLocation {
  template <class P>
  static bool takes(const P& a, const P& b) {
    return a.value == b.value ? a.index < b.index : a.value < b.value;
  }
};
struct Replaced {
  template <class P>
  static bool takes(const P&, const P&) {
    return true;
  }
};

/// By their parts: the bytes behind the last index are no part of a buffer, and need not be there.
template <class P, class Choice>
void choose_pairs(const void* in, void* inout, std::int64_t count) {
  const P* __restrict from = static_cast<const P*>(in);
  P* __restrict into = static_cast<P*>(inout);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!Choice::takes(from[i], into[i])) continue;
    into[i].value = from[i].value;
    into[i].index = from[i].index;
  }
}

template <class Value, class Index>
ReductionKernel* location(MPI_Op operation) {
  using P = Pair<Value, Index>;
  if (operation == MPI_MAXLOC) return &choose_pairs<P, MaximumLocation>;
  if (operation == MPI_MINLOC) return &choose_pairs<P, MinimumLocation>;
  if (operation == MPI_REPLACE) return &choose_pairs<P, Replaced>;
  return nullptr;
}

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

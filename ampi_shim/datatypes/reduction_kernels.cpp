// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/reduction_kernels.hpp"

#include <cstring>

namespace kaon::ampi {

namespace {

enum class Family : std::uint8_t { kArithmetic, kLogical, kBitwise, kLocation };

Family family_of(MPI_Op operation) {
  if (operation == MPI_LAND || operation == MPI_LOR || operation == MPI_LXOR) return Family::kLogical;
  if (operation == MPI_BAND || operation == MPI_BOR || operation == MPI_BXOR) return Family::kBitwise;
  return operation == MPI_MINLOC || operation == MPI_MAXLOC ? Family::kLocation : Family::kArithmetic;
}

template <std::size_t kBytes>
void replace(const void* in, void* inout, std::int64_t count) {
  std::memcpy(inout, in, kBytes * static_cast<std::size_t>(count));
}

ReductionKernel* replacement_of(int bytes) {
  switch (bytes) {
    case 1:
      return &replace<1>;
    case 2:
      return &replace<2>;
    case 4:
      return &replace<4>;
    case 8:
      return &replace<8>;
    case 16:
      return &replace<16>;
    default:
      return &replace<32>;
  }
}

}  // namespace

ReductionKernel* basic_kernel(MPI_Op operation, const BasicType& type) {
  if (operation == MPI_NO_OP) return &do_nothing;
  if (operation == MPI_REPLACE) return replacement_of(type.bytes());
  const Family family = family_of(operation);
  if (family == Family::kLocation) return nullptr;
  switch (type.group) {
    case BasicGroup::kInteger:
      if (family == Family::kLogical) return logical_kernel(operation, type.number);
      [[fallthrough]];
    case BasicGroup::kFortranInteger:
      if (family == Family::kBitwise) return bitwise_kernel(operation, type.number);
      [[fallthrough]];
    case BasicGroup::kFloating:
      return family == Family::kArithmetic ? arithmetic_kernel(operation, type.number) : nullptr;
    case BasicGroup::kComplex:
      return family == Family::kArithmetic ? complex_kernel(operation, type.number) : nullptr;
    case BasicGroup::kLogical:
      return family == Family::kLogical ? logical_kernel(operation, type.number) : nullptr;
    case BasicGroup::kByte:
      return family == Family::kBitwise ? bitwise_kernel(operation, type.number) : nullptr;
    case BasicGroup::kCharacter:
    case BasicGroup::kPacked:
      break;
  }
  return nullptr;
}

}  // namespace kaon::ampi

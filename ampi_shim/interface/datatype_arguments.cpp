// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

#include <limits>

#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

DatatypesOfRank& datatypes_of_this_rank() { return running_rank().part<DatatypesOfRank>(); }

Attributes<MPI_Datatype>& attributes_of(Datatype& type) {
  return type.is_everybodys() ? datatypes_of_this_rank().attributes[type.handle()] : type.attributes();
}

Datatype& type_argument(MPI_Datatype handle) {
  require(handle != MPI_DATATYPE_NULL, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  Datatype* type = Datatype::of(handle);
  require(type != nullptr, MPI_ERR_TYPE, "the datatype is not valid, or was freed");
  return *type;
}

Datatype& committed_type_argument(MPI_Datatype handle) {
  Datatype& type = type_argument(handle);
  require(type.is_committed(), MPI_ERR_TYPE, "the datatype is not committed: call MPI_Type_commit first");
  return type;
}

MPI_Datatype new_handle(TypeDefinitionPtr definition) { return Datatype::make(std::move(definition))->handle(); }

std::int64_t bytes_of(std::int64_t count, std::int64_t element) {
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(count, element, &bytes) ? std::numeric_limits<std::int64_t>::max() : bytes;
}

int int_or_undefined(std::int64_t count) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return count > kMost || count < -kMost ? int{MPI_UNDEFINED} : static_cast<int>(count);
}

}  // namespace kaon::ampi

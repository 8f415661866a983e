// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

#include <cstdint>
#include <limits>

#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

DatatypesOfRank& datatypes_of_this_rank() { return running_rank().part<DatatypesOfRank>(); }

Attributes<MPI_Datatype>& attributes_of(Datatype& type) {
  return type.is_everybodys() ? datatypes_of_this_rank().attributes[type.handle()] : type.attributes();
}

void throw_no_type(MPI_Datatype handle) {
  if (handle == MPI_DATATYPE_NULL) throw MpiFault(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  throw MpiFault(MPI_ERR_TYPE, "the datatype is not valid, or was freed");
}

void throw_not_committed() {
  throw MpiFault(MPI_ERR_TYPE, "the datatype is not committed: call MPI_Type_commit first");
}

std::vector<TypeDefinitionPtr> type_definitions(std::int64_t count, const MPI_Datatype types[]) {
  std::vector<TypeDefinitionPtr> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(type_argument(types[i]).shared_definition());
  return result;
}

void require_memory(const void* buffer, MPI_Count count, const Datatype& type) {
  constexpr std::uintptr_t kFirstPage = 0x1000;  // where no process has memory
  if (reinterpret_cast<std::uintptr_t>(buffer) >= kFirstPage || count <= 0 || type.size() == 0) [[likely]]
    return;
  const auto first = reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(type.true_lower_bound());
  require(first >= kFirstPage, MPI_ERR_BUFFER, "the buffer is {}",
          buffer == MPI_IN_PLACE ? "MPI_IN_PLACE" : "a null pointer");
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

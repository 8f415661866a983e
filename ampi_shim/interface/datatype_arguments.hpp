// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"

namespace kaon::ampi {

class Rank;

/// The data of one rank about datatypes: keys, and its names and attributes of types that all ranks share.
class DatatypesOfRank final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::datatypes;
  explicit DatatypesOfRank(Rank&) {}

  Keyvals<MPI_Datatype> keyvals{0x1000};
  std::unordered_map<MPI_Datatype, std::string> names;
  std::unordered_map<MPI_Datatype, Attributes<MPI_Datatype>> attributes;
};
DatatypesOfRank& datatypes_of_this_rank();

/// The attributes that this rank sees at a type.
Attributes<MPI_Datatype>& attributes_of(Datatype& type);

[[noreturn]] void throw_no_type(MPI_Datatype handle);
[[noreturn]] void throw_not_committed();
/// Throws MpiFault with MPI_ERR_TYPE: it is no datatype, or a freed one.
inline Datatype& type_argument(MPI_Datatype handle) {
  Datatype* const type = Datatype::of(handle);
  if (type == nullptr) [[unlikely]]
    throw_no_type(handle);
  return *type;
}
/// Also when it is not committed.
inline Datatype& committed_type_argument(MPI_Datatype handle) {
  Datatype& type = type_argument(handle);
  if (!type.is_committed()) [[unlikely]]
    throw_not_committed();
  return type;
}

/// The definitions of `count` types. Throws MpiFault if one is not valid.
std::vector<TypeDefinitionPtr> type_definitions(std::int64_t count, const MPI_Datatype types[]);

/// Throws MpiFault with MPI_ERR_BUFFER: there are elements, and no memory for them. MPI_BOTTOM is a null pointer, too,
/// and right where the type, or a displacement that is in `buffer` already, is an address.
void require_memory(const void* buffer, MPI_Count count, const Datatype& type);

/// A new type of this rank: the program's handle.
MPI_Datatype new_handle(TypeDefinitionPtr definition);

/// An array of so many elements that the program gave.
template <class T>
const T* array_argument(const T* array, std::int64_t count, const char* name) {
  require(array != nullptr || count <= 0, MPI_ERR_ARG, "{} is a null pointer", name);
  return array;
}

/// A function that makes a type of another one: `build` gets the definition of that and gives the new one.
template <class Build>
int make_type(const char* function, MPI_Datatype old_type, MPI_Datatype* new_type, Build build) {
  return mpi_call(function, [&] {
    require_place(new_type, "newtype");
    *new_type = new_handle(build(type_argument(old_type).shared_definition()));
  });
}

/// The bytes of `count` elements of `element` bytes each, or the largest std::int64_t if there are more.
std::int64_t bytes_of(std::int64_t count, std::int64_t element);

/// Counts that are too large for an int are MPI_UNDEFINED in functions that give one.
int int_or_undefined(std::int64_t count);

}  // namespace kaon::ampi

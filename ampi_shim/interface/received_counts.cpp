// SPDX-License-Identifier: Apache-2.0
// The bytes of a status, counted in elements.
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"
#include "kaon/ampi_shim/messages/status.hpp"

using namespace kaon::ampi;

namespace {

constexpr std::int64_t kUndefined = MPI_UNDEFINED;

/// Whole elements of the type; undefined when they are not whole.
std::int64_t whole_elements(std::int64_t bytes, const Datatype& type) {
  if (type.size() == 0) return bytes == 0 ? 0 : kUndefined;
  return bytes % type.size() == 0 ? bytes / type.size() : kUndefined;
}

std::int64_t basic_elements(std::int64_t bytes, const Datatype& type) {
  if (type.size() == 0) return bytes == 0 ? 0 : kUndefined;
  return elements_in(type.definition(), bytes);
}

using Counting = std::int64_t (*)(std::int64_t, const Datatype&);

template <class Count>
int count(const char* function, const MPI_Status* status, MPI_Datatype datatype, Count* result, Counting counting) {
  return mpi_call(function, [&] {
    require(status != MPI_STATUS_IGNORE, MPI_ERR_ARG, "the status is MPI_STATUS_IGNORE");
    require_place(result, "count");
    const Datatype& type = type_argument(datatype);
    const std::int64_t elements = counting(static_cast<std::int64_t>(status_bytes(*status)), type);
    if constexpr (std::is_same_v<Count, int>)
      *result = int_or_undefined(elements);
    else
      *result = elements;
  });
}

int set_elements(const char* function, MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return mpi_call(function, [&] {
    require(status != MPI_STATUS_IGNORE, MPI_ERR_ARG, "the status is MPI_STATUS_IGNORE");
    require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
    const Datatype& type = type_argument(datatype);
    set_status_bytes(*status, static_cast<std::uint64_t>(bytes_of_elements(type.definition(), count)));
  });
}

}  // namespace

extern "C" {

KAON_BOTH_WIDTHS(MPI_Get_count, (const MPI_Status* status, MPI_Datatype datatype, Count* count_of_elements),
                 return count(function, status, datatype, count_of_elements, whole_elements))

KAON_BOTH_WIDTHS(MPI_Get_elements, (const MPI_Status* status, MPI_Datatype datatype, Count* count_of_elements),
                 return count(function, status, datatype, count_of_elements, basic_elements))

int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count_of_elements) {
  return count("MPI_Get_elements_x", status, datatype, count_of_elements, basic_elements);
}

KAON_BOTH_WIDTHS(MPI_Status_set_elements, (MPI_Status * status, MPI_Datatype datatype, Count count_of_elements),
                 return set_elements(function, status, datatype, count_of_elements))

int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count count_of_elements) {
  return set_elements("MPI_Status_set_elements_x", status, datatype, count_of_elements);
}

}  // extern "C"

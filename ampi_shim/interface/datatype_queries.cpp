// SPDX-License-Identifier: Apache-2.0
// Sizes and bounds of datatypes, and addresses, which displacements are made of.
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

template <class Count>
int get_extent(const char* function, MPI_Datatype datatype, Count* lower, Count* extent) {
  return mpi_call(function, [&] {
    require_place(lower, "lb");
    require_place(extent, "extent");
    const Datatype& type = type_argument(datatype);
    *lower = type.lower_bound();
    *extent = type.extent();
  });
}

template <class Count>
int get_true_extent(const char* function, MPI_Datatype datatype, Count* lower, Count* extent) {
  return mpi_call(function, [&] {
    require_place(lower, "true_lb");
    require_place(extent, "true_extent");
    const Datatype& type = type_argument(datatype);
    *lower = type.true_lower_bound();
    *extent = type.true_extent();
  });
}

int get_size(const char* function, MPI_Datatype datatype, MPI_Count* size) {
  return mpi_call(function, [&] {
    require_place(size, "size");
    *size = type_argument(datatype).size();
  });
}

}  // namespace

extern "C" {

int MPI_Type_size(MPI_Datatype datatype, int* size) {
  return mpi_call("MPI_Type_size", [&] {
    require_place(size, "size");
    *size = int_or_undefined(type_argument(datatype).size());
  });
}

int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count* size) { return get_size("MPI_Type_size_c", datatype, size); }

int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count* size) { return get_size("MPI_Type_size_x", datatype, size); }

KAON_BOTH_WIDTHS(MPI_Type_get_extent, (MPI_Datatype datatype, Bytes* lb, Bytes* extent),
                 return get_extent(function, datatype, lb, extent))

int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return get_extent("MPI_Type_get_extent_x", datatype, lb, extent);
}

KAON_BOTH_WIDTHS(MPI_Type_get_true_extent, (MPI_Datatype datatype, Bytes* true_lb, Bytes* true_extent),
                 return get_true_extent(function, datatype, true_lb, true_extent))

int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return get_true_extent("MPI_Type_get_true_extent_x", datatype, true_lb, true_extent);
}

int MPI_Get_address(const void* location, MPI_Aint* address) {
  return mpi_call("MPI_Get_address", [&] {
    require_place(address, "address");
    *address = reinterpret_cast<MPI_Aint>(location);
  });
}

// As unsigned numbers, so that no address is too large.
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(disp));
}

MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) - static_cast<std::uintptr_t>(addr2));
}

}  // extern "C"

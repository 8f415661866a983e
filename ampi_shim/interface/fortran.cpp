// SPDX-License-Identifier: Apache-2.0
// What bindings of Fortran, which another library brings, ask of the C one: statuses as their integers, which lie as in
// C, and what they tell of their compiler. There is nothing here of our own in Fortran.
#include <mpi.h>

#include <cstring>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

using namespace kaon::ampi;

namespace {

static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));

template <class From, class To>
int copy_status(const char* function, const From* from, To* to) {
  return mpi_call(function, [&] {
    require_place(from, "the status to copy");
    require_place(to, "the status");
    std::memcpy(to, from, sizeof(MPI_Status));
  });
}

FortranBooleans& booleans(int logical_size) {
  const bool is_size =
      logical_size == 1 || logical_size == 2 || logical_size == 4 || logical_size == 8 || logical_size == 16;
  require(is_size, MPI_ERR_ARG, "a LOGICAL of {} bytes is none of Fortran's", logical_size);
  return program_objects().fortran_booleans[logical_size];
}

}  // namespace

int MPI_Status_c2f(const MPI_Status* c_status, MPI_Fint* f_status) {
  return copy_status("MPI_Status_c2f", c_status, f_status);
}

int MPI_Status_f2c(const MPI_Fint* f_status, MPI_Status* c_status) {
  return copy_status("MPI_Status_f2c", f_status, c_status);
}

int MPI_Status_c2f08(const MPI_Status* c_status, MPI_F08_status* f08_status) {
  return copy_status("MPI_Status_c2f08", c_status, f08_status);
}

int MPI_Status_f082c(const MPI_F08_status* f08_status, MPI_Status* c_status) {
  return copy_status("MPI_Status_f082c", f08_status, c_status);
}

int MPI_Status_f2f08(const MPI_Fint* f_status, MPI_F08_status* f08_status) {
  return copy_status("MPI_Status_f2f08", f_status, f08_status);
}

int MPI_Status_f082f(const MPI_F08_status* f08_status, MPI_Fint* f_status) {
  return copy_status("MPI_Status_f082f", f08_status, f_status);
}

int MPI_Abi_set_fortran_info(MPI_Info info) {
  return mpi_call("MPI_Abi_set_fortran_info", [&] {
    const Info& told = info_of(info);
    std::optional<Info>& known = program_objects().fortran_info;
    require(!known.has_value(), MPI_ERR_ABI, "the properties of Fortran have been set already");
    known = told;
  });
}

int MPI_Abi_get_fortran_info(MPI_Info* info) {
  return mpi_call("MPI_Abi_get_fortran_info", [&] {
    require_place(info, "info");
    const std::optional<Info>& known = program_objects().fortran_info;
    *info = known ? give_info(*known) : MPI_INFO_NULL;
  });
}

int MPI_Abi_set_fortran_booleans(int logical_size, void* logical_true, void* logical_false) {
  return mpi_call("MPI_Abi_set_fortran_booleans", [&] {
    FortranBooleans& values = booleans(logical_size);
    require_place(logical_true, "logical_true");
    require_place(logical_false, "logical_false");
    require(!values.are_set, MPI_ERR_ABI, "the values of LOGICAL have been set already");
    std::memcpy(values.true_bytes.data(), logical_true, static_cast<std::size_t>(logical_size));
    std::memcpy(values.false_bytes.data(), logical_false, static_cast<std::size_t>(logical_size));
    values.are_set = true;
  });
}

int MPI_Abi_get_fortran_booleans(int logical_size, void* logical_true, void* logical_false, int* is_set) {
  return mpi_call("MPI_Abi_get_fortran_booleans", [&] {
    const FortranBooleans& values = booleans(logical_size);
    require_place(is_set, "is_set");
    *is_set = values.are_set ? 1 : 0;
    if (!values.are_set) return;
    require_place(logical_true, "logical_true");
    require_place(logical_false, "logical_false");
    std::memcpy(logical_true, values.true_bytes.data(), static_cast<std::size_t>(logical_size));
    std::memcpy(logical_false, values.false_bytes.data(), static_cast<std::size_t>(logical_size));
  });
}

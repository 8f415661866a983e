// SPDX-License-Identifier: Apache-2.0
// Handles as integers, of C and of Fortran, and back.
#include <mpi.h>

#include <cstdint>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/handle_numbers.hpp"

using namespace kaon::ampi;

namespace {

template <class Handle>
int number_of(Handle handle) {
  return handle_number(reinterpret_cast<std::uintptr_t>(handle));
}

template <class Handle>
Handle handle_of(int number) {
  return reinterpret_cast<Handle>(handle_of_number(number));
}

}  // namespace

int MPI_Comm_toint(MPI_Comm comm) { return number_of(comm); }
MPI_Comm MPI_Comm_fromint(int comm) { return handle_of<MPI_Comm>(comm); }
MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return number_of(comm); }
MPI_Comm MPI_Comm_f2c(MPI_Fint comm) { return handle_of<MPI_Comm>(comm); }

int MPI_Errhandler_toint(MPI_Errhandler errhandler) { return number_of(errhandler); }
MPI_Errhandler MPI_Errhandler_fromint(int errhandler) { return handle_of<MPI_Errhandler>(errhandler); }
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler errhandler) { return number_of(errhandler); }
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint errhandler) { return handle_of<MPI_Errhandler>(errhandler); }

int MPI_File_toint(MPI_File file) { return number_of(file); }
MPI_File MPI_File_fromint(int file) { return handle_of<MPI_File>(file); }
MPI_Fint MPI_File_c2f(MPI_File file) { return number_of(file); }
MPI_File MPI_File_f2c(MPI_Fint file) { return handle_of<MPI_File>(file); }

int MPI_Group_toint(MPI_Group group) { return number_of(group); }
MPI_Group MPI_Group_fromint(int group) { return handle_of<MPI_Group>(group); }
MPI_Fint MPI_Group_c2f(MPI_Group group) { return number_of(group); }
MPI_Group MPI_Group_f2c(MPI_Fint group) { return handle_of<MPI_Group>(group); }

int MPI_Info_toint(MPI_Info info) { return number_of(info); }
MPI_Info MPI_Info_fromint(int info) { return handle_of<MPI_Info>(info); }
MPI_Fint MPI_Info_c2f(MPI_Info info) { return number_of(info); }
MPI_Info MPI_Info_f2c(MPI_Fint info) { return handle_of<MPI_Info>(info); }

int MPI_Message_toint(MPI_Message message) { return number_of(message); }
MPI_Message MPI_Message_fromint(int message) { return handle_of<MPI_Message>(message); }
MPI_Fint MPI_Message_c2f(MPI_Message message) { return number_of(message); }
MPI_Message MPI_Message_f2c(MPI_Fint message) { return handle_of<MPI_Message>(message); }

int MPI_Op_toint(MPI_Op op) { return number_of(op); }
MPI_Op MPI_Op_fromint(int op) { return handle_of<MPI_Op>(op); }
MPI_Fint MPI_Op_c2f(MPI_Op op) { return number_of(op); }
MPI_Op MPI_Op_f2c(MPI_Fint op) { return handle_of<MPI_Op>(op); }

int MPI_Request_toint(MPI_Request request) { return number_of(request); }
MPI_Request MPI_Request_fromint(int request) { return handle_of<MPI_Request>(request); }
MPI_Fint MPI_Request_c2f(MPI_Request request) { return number_of(request); }
MPI_Request MPI_Request_f2c(MPI_Fint request) { return handle_of<MPI_Request>(request); }

int MPI_Session_toint(MPI_Session session) { return number_of(session); }
MPI_Session MPI_Session_fromint(int session) { return handle_of<MPI_Session>(session); }
MPI_Fint MPI_Session_c2f(MPI_Session session) { return number_of(session); }
MPI_Session MPI_Session_f2c(MPI_Fint session) { return handle_of<MPI_Session>(session); }

int MPI_Type_toint(MPI_Datatype datatype) { return number_of(datatype); }
MPI_Datatype MPI_Type_fromint(int datatype) { return handle_of<MPI_Datatype>(datatype); }
MPI_Fint MPI_Type_c2f(MPI_Datatype datatype) { return number_of(datatype); }
MPI_Datatype MPI_Type_f2c(MPI_Fint datatype) { return handle_of<MPI_Datatype>(datatype); }

int MPI_Win_toint(MPI_Win win) { return number_of(win); }
MPI_Win MPI_Win_fromint(int win) { return handle_of<MPI_Win>(win); }
MPI_Fint MPI_Win_c2f(MPI_Win win) { return number_of(win); }
MPI_Win MPI_Win_f2c(MPI_Fint win) { return handle_of<MPI_Win>(win); }

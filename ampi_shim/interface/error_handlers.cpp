// SPDX-License-Identifier: Apache-2.0
// Error handlers of communicators, sessions, files and windows.
#include <mpi.h>

#include <memory>
#include <utility>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/window_arguments.hpp"

using namespace kaon::ampi;

namespace {

template <class Handle>
int create(const char* name, ErrorHandler::Function<Handle>* function, MPI_Errhandler* errhandler) {
  return mpi_call(name, [&] {
    require_place(function, "the function");
    require_place(errhandler, "errhandler");
    *errhandler = program_objects().error_handlers.give(std::make_shared<ErrorHandler>(function));
  });
}

/// The file of no other handle can be open.
ErrorHandlerSlot& file_errors(MPI_File file) {
  require(file == MPI_FILE_NULL, MPI_ERR_FILE, "the file is not open");
  return program_objects().file_errors;
}

/// Calls the handler of an object with a code of the program's choice.
template <class Handle>
int call_handler(const char* name, Handle object, int code) {
  raise(name, {code, "the program has called its error handler"}, object);
  return MPI_SUCCESS;
}

}  // namespace

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* comm_errhandler_fn, MPI_Errhandler* errhandler) {
  return create<MPI_Comm>("MPI_Comm_create_errhandler", comm_errhandler_fn, errhandler);
}

int MPI_Session_create_errhandler(MPI_Session_errhandler_function* session_errhandler_fn, MPI_Errhandler* errhandler) {
  return create<MPI_Session>("MPI_Session_create_errhandler", session_errhandler_fn, errhandler);
}

int MPI_File_create_errhandler(MPI_File_errhandler_function* file_errhandler_fn, MPI_Errhandler* errhandler) {
  return create<MPI_File>("MPI_File_create_errhandler", file_errhandler_fn, errhandler);
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function* win_errhandler_fn, MPI_Errhandler* errhandler) {
  return create<MPI_Win>("MPI_Win_create_errhandler", win_errhandler_fn, errhandler);
}

int MPI_Errhandler_free(MPI_Errhandler* errhandler) {
  return mpi_call("MPI_Errhandler_free", [&] {
    require_place(errhandler, "errhandler");
    require(*errhandler != MPI_ERRHANDLER_NULL, MPI_ERR_ERRHANDLER, "the error handler is MPI_ERRHANDLER_NULL");
    const bool is_predefined = error_handler_of_any(*errhandler).made == nullptr;  // a program may have got one
    if (!is_predefined) program_objects().error_handlers.free(*errhandler);
    *errhandler = MPI_ERRHANDLER_NULL;
  });
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  return mpi_call("MPI_Comm_set_errhandler", comm,
                  [&] { communicator_of(running_rank(), comm).errors = error_handler_of<MPI_Comm>(errhandler); });
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return mpi_call("MPI_Comm_get_errhandler", comm, [&] {
    require_place(errhandler, "errhandler");
    *errhandler = give_error_handler(communicator_of(running_rank(), comm).errors);
  });
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  return mpi_call("MPI_Comm_call_errhandler", comm, [&] {
    communicator_of(running_rank(), comm);
    return call_handler("MPI_Comm_call_errhandler", comm, errorcode);
  });
}

int MPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler) {
  return mpi_call("MPI_Session_set_errhandler", session,
                  [&] { session_of(session).errors = error_handler_of<MPI_Session>(errhandler); });
}

int MPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler* errhandler) {
  return mpi_call("MPI_Session_get_errhandler", session, [&] {
    require_place(errhandler, "errhandler");
    *errhandler = give_error_handler(session_of(session).errors);
  });
}

int MPI_Session_call_errhandler(MPI_Session session, int errorcode) {
  return mpi_call("MPI_Session_call_errhandler", session, [&] {
    session_of(session);
    return call_handler("MPI_Session_call_errhandler", session, errorcode);
  });
}

int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  return mpi_call("MPI_File_set_errhandler", file, [&] { file_errors(file) = error_handler_of<MPI_File>(errhandler); });
}

int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* errhandler) {
  return mpi_call("MPI_File_get_errhandler", file, [&] {
    require_place(errhandler, "errhandler");
    *errhandler = give_error_handler(file_errors(file));
  });
}

int MPI_File_call_errhandler(MPI_File fh, int errorcode) {
  return mpi_call("MPI_File_call_errhandler", fh, [&] {
    file_errors(fh);
    return call_handler("MPI_File_call_errhandler", fh, errorcode);
  });
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  return window_call("MPI_Win_set_errhandler", win,
                     [&](Window& window) { window.errors = error_handler_of<MPI_Win>(errhandler); });
}

int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
  return window_call("MPI_Win_get_errhandler", win, [&](const Window& window) {
    require_place(errhandler, "errhandler");
    *errhandler = give_error_handler(window.errors);
  });
}

int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  return window_call("MPI_Win_call_errhandler", win,
                     [&](Window&) { return call_handler("MPI_Win_call_errhandler", win, errorcode); });
}

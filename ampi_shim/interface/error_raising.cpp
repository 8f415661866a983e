// SPDX-License-Identifier: Apache-2.0
// From an error to the error handler in force.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"
#include "kaon/ampi_shim/windows/windows.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {

namespace {

const char* name_of(MPI_Errhandler handler) {
  return handler == MPI_ERRORS_ABORT ? "MPI_ERRORS_ABORT" : "MPI_ERRORS_ARE_FATAL";
}

std::string describe(const ErrorCodes& codes, int code) {
  const int error_class = codes.class_of(code).value_or(MPI_ERR_UNKNOWN);
  const std::string_view name = error_class_name(error_class);
  if (name.empty()) return fmt::format("code {} of the program's class {}", code, error_class);
  return fmt::format("{} ({})", name, error_class_text(error_class));
}

/// Calls the handler of an object, or ends the run: not with the class as its code, as ampirun's own are as small.
template <class Handle>
int handle(Rank& rank, const ErrorHandlerSlot& slot, Handle object, const char* function, const Raised& error) {
  ErrorCodes& codes = rank.part<ProgramObjects>().error_codes;
  int code = error.code;
  if (slot.made != nullptr) {
    const std::shared_ptr<ErrorHandler> handler = slot.made;  // it may take itself out of the object
    codes.note(code, fmt::format("{}: {}", function, error.text));
    handler->call(object, code);
    return code;
  }
  if (slot.handle == MPI_ERRORS_RETURN) {
    codes.note(code, fmt::format("{}: {}", function, error.text));
    return code;
  }
  rank.abort(kExitOther, fmt::format("{} has failed, {}: {}; the error handler is {}", function, describe(codes, code),
                                     error.text, name_of(slot.handle)));
}

/// For errors that belong to no object: the handler of MPI_COMM_SELF, as MPI-4 has it, or when the program has set none
/// there that of MPI_COMM_WORLD, which it was before.
int handle_without_object(Rank& rank, const char* function, const Raised& error) {
  if (rank.stage() == Rank::Stage::running)
    for (MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD})
      if (const Communicator* object = find_communicator(rank, comm); object->errors.handle != MPI_ERRHANDLER_NULL)
        return handle(rank, object->errors, comm, function, error);
  return handle(rank, {}, MPI_COMM_SELF, function, error);
}

/// The calling rank. A thread that its program has made cannot ask the handlers, which are not for several threads: the
/// run ends. nullptr, and the error is told, on a thread that is nobody's.
Rank* rank_or_complaint(const char* function, const Raised& error) {
  if (Rank* const rank = current_rank_or_null()) return rank;
  if (Rank* const rank = rank_of_thread())
    rank->abort(kExitOther,
                fmt::format("{} has failed on a thread that the program has made: {}", function, error.text));
  fmt::print(stderr, "{} has failed: {}\n", function, error.text);
  return nullptr;
}

/// What a handler of the program throws goes through to who called MPI.
template <class Work>
int with_memory_or_not(const Raised& error, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {  // for the texts
    return error.code;
  }
}

/// `find` gives the object of the handle, or nullptr.
template <class Handle, class Find>
int raise_at(const char* function, const Raised& error, Handle handle_of_object, Find find) {
  return with_memory_or_not(error, [&] {
    Rank* const rank = rank_or_complaint(function, error);
    if (rank == nullptr) return error.code;
    const auto object = find(*rank);
    if (object == nullptr) return handle_without_object(*rank, function, error);
    return handle(*rank, object->errors, handle_of_object, function, error);
  });
}

}  // namespace

Raised caught() noexcept try { throw; } catch (const MpiFault& fault) {
  return {fault.error_class(), fault.what()};
} catch (const std::bad_alloc&) {
  return {MPI_ERR_NO_MEM, {}};
} catch (const runtime::OutOfMemory& error) {
  return {MPI_ERR_NO_MEM, error.what()};
} catch (const std::exception& error) {
  return {MPI_ERR_OTHER, error.what()};
} catch (...) {
  return {MPI_ERR_OTHER, {}};
}

std::unique_ptr<Raised> keep_caught() noexcept { return std::unique_ptr<Raised>(new (std::nothrow) Raised(caught())); }

int raise(const char* function, const Raised& error, MPI_Comm comm) {
  return raise_at(function, error, comm, [&](Rank& rank) { return find_communicator(rank, comm); });
}

int raise(const char* function, const Raised& error, MPI_Session session) {
  return raise_at(function, error, session,
                  [&](Rank& rank) { return rank.part<ProgramObjects>().sessions.find(session); });
}

int raise(const char* function, const Raised& error, MPI_File file) {
  return with_memory_or_not(error, [&] {
    Rank* const rank = rank_or_complaint(function, error);
    if (rank == nullptr) return error.code;
    return handle(*rank, rank->part<ProgramObjects>().file_errors, file, function, error);
  });
}

namespace {

template <class Handle>
int raise_with_handler(MPI_Errhandler handler, const char* function, const Raised& error, Handle made) {
  return with_memory_or_not(error, [&] {
    Rank* const rank = rank_or_complaint(function, error);
    if (rank == nullptr) return error.code;
    ErrorHandlerSlot slot;
    try {
      slot = error_handler_of<Handle>(handler);
    } catch (const MpiFault&) {
      return handle_without_object(*rank, function, error);
    }
    return handle(*rank, slot, made, function, error);
  });
}

}  // namespace

int raise_with(MPI_Errhandler handler, const char* function, const Raised& error, MPI_Comm made) {
  return raise_with_handler(handler, function, error, made);
}

int raise_with(MPI_Errhandler handler, const char* function, const Raised& error, MPI_Session made) {
  return raise_with_handler(handler, function, error, made);
}

int raise(const char* function, const Raised& error, MPI_Win win) {
  return raise_at(function, error, win, [&](Rank& rank) { return find_window(rank, win); });
}

}  // namespace kaon::ampi

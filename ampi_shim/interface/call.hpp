// SPDX-License-Identifier: Apache-2.0
#pragma once
// How every function of this folder is written:
//
//   int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) {
//     return mpi_call("MPI_Group_incl", [&] {
//       require(n >= 0, MPI_ERR_ARG, "the number of ranks is {}", n);
//       *newgroup = ...;
//     });
//   }
//
// What the body throws goes to the error handler of the communicator (or session, file, window) that is named behind
// the function, or else to that of the program: an MpiFault as its class, others as the class that fits them.
#include <fmt/format.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

/// The rank for running_rank() before MPI_Init or after MPI_Finalize. Throws MpiFault unless it has a session.
Rank& rank_of_session();
/// The rank that calls. Throws MpiFault unless it is between MPI_Init and MPI_Finalize, or has a session.
inline Rank& running_rank() {
  Rank* const rank = current_rank_or_null();
  if (rank != nullptr && rank->stage() == Rank::Stage::running) [[likely]]
    return *rank;
  return rank_of_session();
}

/// An error of a function, before its handler is asked.
struct Raised {
  int code = MPI_SUCCESS;
  std::string text;  // what was wrong: "the count is -1"
};

/// In a catch block: what was caught.
Raised caught() noexcept;
/// Same as caught(); nullptr if there is no memory for the result.
std::unique_ptr<Raised> keep_caught() noexcept;

/// Asks the error handler in force: of the object when it has one, else the program's. A fatal one does not return;
/// otherwise the result is what the function returns. `function` is a literal.
int raise(const char* function, const Raised& error, MPI_Comm comm = MPI_COMM_NULL);
int raise(const char* function, const Raised& error, MPI_Session session);
int raise(const char* function, const Raised& error, MPI_File file);
int raise(const char* function, const Raised& error, MPI_Win win);
/// Asks that of an object which could not be made. A handler that is none leaves the program's.
int raise_with(MPI_Errhandler handler, const char* function, const Raised& error, MPI_Comm made);
int raise_with(MPI_Errhandler handler, const char* function, const Raised& error, MPI_Session made);
template <class Object>
int raise(const char* function, const std::unique_ptr<Raised>& error, Object object) {
  return raise(function, error != nullptr ? *error : Raised{MPI_ERR_NO_MEM, {}}, object);
}

template <class... Arguments>
[[noreturn, gnu::cold, gnu::noinline]] void throw_fault(int error_class, fmt::format_string<Arguments...> text,
                                                        Arguments&&... arguments) {
  throw MpiFault(error_class, fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Throws an MpiFault unless `holds`. The text is a clause, after "MPI_Send: ": fmt's format and its arguments.
template <class... Arguments>
void require(bool holds, int error_class, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  if (!holds) [[unlikely]]
    throw_fault<Arguments...>(error_class, text, std::forward<Arguments>(arguments)...);
}

/// An argument that a function writes to, or reads through.
template <class Pointer>
void require_place(Pointer* place, const char* name) {
  require(place != nullptr, MPI_ERR_ARG, "{} is a null pointer", name);
}

/// Runs the body of a function of MPI. The handler is asked behind the catch block: it is the program's, and may call
/// MPI and let other ranks run, which catch things of their own; and what it throws goes on to the caller.
template <class Object, class Body>
[[gnu::always_inline]] inline int mpi_call(const char* function, Object object, Body&& body) {
  std::unique_ptr<Raised> error;  // an address, so that functions that succeed do nothing for it
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return MPI_SUCCESS;
    } else {
      return body();
    }
  } catch (...) {
    error = keep_caught();
  }
  return raise(function, error, object);
}

/// One that is given the error handler of what it makes: of `Object`, a handle that is null.
template <class Object, class Body>
int making_call(const char* function, MPI_Errhandler handler, Object null, Body&& body) {
  Raised error;
  try {
    body();
    return MPI_SUCCESS;
  } catch (...) {
    error = caught();
  }
  return raise_with(handler, function, error, null);
}

/// One that has no such object.
template <class Body>
int mpi_call(const char* function, Body&& body) {
  return mpi_call(function, MPI_COMM_NULL, std::forward<Body>(body));
}

}  // namespace kaon::ampi

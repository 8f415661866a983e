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

#include <string>
#include <type_traits>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

class Rank;

/// The rank that calls. Throws MpiFault unless it is between MPI_Init and MPI_Finalize, or has a session.
Rank& running_rank();

/// An error of a function, before its handler is asked.
struct Raised {
  int code = MPI_SUCCESS;
  std::string text;  // what was wrong: "the count is -1"
};

/// In a catch block: what was caught.
Raised caught() noexcept;

/// Asks the error handler in force: of the object when it has one, else the program's. A fatal one does not return;
/// otherwise the result is what the function returns. `function` is a literal.
int raise(const char* function, const Raised& error, MPI_Comm comm = MPI_COMM_NULL) noexcept;
int raise(const char* function, const Raised& error, MPI_Session session) noexcept;
int raise(const char* function, const Raised& error, MPI_File file) noexcept;
int raise(const char* function, const Raised& error, MPI_Win win) noexcept;

/// Throws an MpiFault unless `holds`. The text is a clause, after "MPI_Send: ": fmt's format and its arguments.
template <class... Arguments>
void require(bool holds, int error_class, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  if (!holds) [[unlikely]]
    throw MpiFault(error_class, fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// An argument that a function writes to, or reads through.
template <class Pointer>
void require_place(Pointer* place, const char* name) {
  require(place != nullptr, MPI_ERR_ARG, "{} is a null pointer", name);
}

/// Runs the body of a function of MPI. The handler is asked behind the catch block: it is the program's, and may call
/// MPI and let other ranks run, which catch things of their own.
template <class Object, class Body>
int mpi_call(const char* function, Object object, Body&& body) noexcept {
  Raised error;
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return MPI_SUCCESS;
    } else {
      return body();
    }
  } catch (...) {
    error = caught();
  }
  return raise(function, error, object);
}

/// One that has no such object.
template <class Body>
int mpi_call(const char* function, Body&& body) noexcept {
  return mpi_call(function, MPI_COMM_NULL, std::forward<Body>(body));
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/unbuilt.hpp"

#include <atomic>
#include <string>
#include <string_view>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

// Kinds of null handles that ranks of this process have got. One that none has got is a wrong argument, and no sign of
// an error that was ignored. Relaxed: a rank sees what it was given itself.
constinit std::atomic<unsigned> given{0};

void print_once(const char* name, const char* function, const std::string& what) {
  if (Rank* const rank = current_rank_or_null())
    rank->world().print_once(name, fmt::format("{} has called {}{}", rank->name(), function, what));
}

/// Also where a handler has heard of it: a program that looks at no result would seem to have done what it asked for.
void report(const char* function) {
  print_once(
      function, function,
      ", which this version of Kaon does not implement: it does nothing and returns MPI_ERR_UNSUPPORTED_OPERATION");
}

/// The program goes on with what a call that has failed did not give it: its data are lost, and the code of the run is
/// all that a script sees.
void report_loss(const char* function) {
  if (Rank* const rank = current_rank_or_null()) rank->world().fail_at_end();
  print_once("loss", function,
             fmt::format(" with a null handle: it has ignored the error of the call that should have given another. "
                         "Nothing is read or written, and the run ends with code {}",
                         runtime::kExitOther));
}

}  // namespace

int raise_unbuilt(const char* function, MPI_Comm comm, NullHandles nulls) {
  const Raised error{MPI_ERR_UNSUPPORTED_OPERATION, "this function is declared, but not built in this version"};
  const std::string_view name = function;
  int code = MPI_T_ERR_NOT_SUPPORTED;  // these have no handler
  if (name.starts_with("MPI_File_"))
    code = raise(function, error, MPI_FILE_NULL);
  else if (!name.starts_with("MPI_T_"))
    code = raise(function, error, comm);
  // A fatal handler has not come back, and has said it.
  const bool is_loss = (given.fetch_or(nulls.given, std::memory_order_relaxed) & nulls.taken) != 0;
  is_loss ? report_loss(function) : report(function);
  return code;
}

/// The codes of processes that are not started. Only the root has their number.
int unbuilt_spawn(const char* function, int count, const int* processes, int root, MPI_Comm comm, MPI_Comm* made,
                  int* codes) {
  clear(made);
  Rank* const rank = current_rank_or_null();
  const Communicator* const group = rank != nullptr ? find_communicator(*rank, comm) : nullptr;
  if (codes != nullptr && group != nullptr && group->rank() == root)
    for (int command = 0; command < count; ++command)
      for (int process = 0; process < processes[command]; ++process) *codes++ = MPI_ERR_UNSUPPORTED_OPERATION;
  return raise_unbuilt(function, comm, {});
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
// How a program's use of MPI begins and ends.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/stream_arguments.hpp"
#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

/// What a rank was given by MPI_Init_thread.
class ThreadLevel final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::threads;
  explicit ThreadLevel(Rank&) {}
  int provided = MPI_THREAD_SINGLE;
};

/// Calls of MPI are for the thread on which the rank runs: it may have others, which call none.
constexpr int kMost = MPI_THREAD_FUNNELED;

void begin(int required, int* provided) {
  Rank& rank = calling_rank();
  require(rank.stage() == Rank::Stage::before_init, MPI_ERR_OTHER, "MPI has been initialized already");
  require(required == MPI_THREAD_SINGLE || required == MPI_THREAD_FUNNELED || required == MPI_THREAD_SERIALIZED ||
              required == MPI_THREAD_MULTIPLE,
          MPI_ERR_ARG, "{} is no level of thread support", required);
  int& level = rank.part<ThreadLevel>().provided;
  level = std::min(required, kMost);
  if (provided != nullptr) *provided = level;
  rank.part<Communicators>();  // before threads of the program ask for theirs
  rank.set_stage(Rank::Stage::running);
}

/// On any thread of the program. One that outlives it finds that MPI is over.
Rank::Stage stage_of_program() {
  const Rank* const rank = rank_of_thread();
  return rank != nullptr ? rank->stage() : Rank::Stage::finalized;
}

}  // namespace
}  // namespace kaon::ampi

using namespace kaon::ampi;

int MPI_Init(int*, char***) {
  return mpi_call("MPI_Init", [] { begin(MPI_THREAD_SINGLE, nullptr); });
}

int MPI_Init_thread(int*, char***, int required, int* provided) {
  return mpi_call("MPI_Init_thread", [&] {
    require_place(provided, "provided");
    begin(required, provided);
  });
}

int MPI_Initialized(int* flag) {
  return mpi_call("MPI_Initialized", [&] {
    require_place(flag, "flag");
    *flag = stage_of_program() != Rank::Stage::before_init ? 1 : 0;
  });
}

int MPI_Finalized(int* flag) {
  return mpi_call("MPI_Finalized", [&] {
    require_place(flag, "flag");
    *flag = stage_of_program() == Rank::Stage::finalized ? 1 : 0;
  });
}

int MPI_Query_thread(int* provided) {
  return mpi_call("MPI_Query_thread", [&] {
    require_place(provided, "provided");
    *provided = rank_of_any_thread().part<ThreadLevel>().provided;
  });
}

int MPI_Is_thread_main(int* flag) {
  return mpi_call("MPI_Is_thread_main", [&] {
    require_place(flag, "flag");
    *flag = current_rank_or_null() != nullptr ? 1 : 0;
  });
}

/// Attributes of MPI_COMM_SELF are deleted first, so that libraries learn of the end; their functions may call MPI.
int MPI_Finalize() {
  return mpi_call("MPI_Finalize", [] {
    Rank& rank = running_rank();
    require(rank.stage() == Rank::Stage::running, MPI_ERR_OTHER, "MPI has been finalized already, or never begun");
    rank.part<Communicators>().self().attributes.clear(MPI_COMM_SELF);
    finish_streams();
    rank.part<Messages>().finish_sends();
    rank.set_stage(Rank::Stage::finalized);
  });
}

int MPI_Abort(MPI_Comm, int errorcode) {
  if (Rank* const rank = rank_of_thread())
    rank->abort(errorcode, fmt::format("has called MPI_Abort with code {}", errorcode));
  std::fprintf(stderr, "MPI_Abort(%d) was called on a thread that is no rank's\n", errorcode);
  std::_Exit((errorcode & 0xff) != 0 ? errorcode & 0xff : 1);
}

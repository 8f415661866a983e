// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/communicators.hpp"

#include <limits>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"

namespace kaon::ampi {

namespace {

// The standard's own keys are below.
constexpr int kFirstKeyval = 1 << 20;

}  // namespace

Communicators::Communicators(Rank& rank) : keyvals(kFirstKeyval), rank_in_run_(rank.number()) {
  const Group all(0, rank.world().ranks());
  world_ = new Communicator(kWorldContext, all, rank_in_run_, MPI_COMM_WORLD);
  world_->name = "MPI_COMM_WORLD";
  world_->errors.handle = MPI_ERRORS_ARE_FATAL;
  self_ = new Communicator(kSelfContext, Group(rank_in_run_, 1), 0, MPI_COMM_SELF);
  self_->name = "MPI_COMM_SELF";
}

Communicators::~Communicators() = default;

void throw_no_communicator(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL) throw MpiFault(MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  throw MpiFault(MPI_ERR_COMM, "that is not a communicator, or it has been freed");
}

Communicator& intracommunicator_of(Rank& rank, MPI_Comm handle) {
  Communicator& communicator = communicator_of(rank, handle);
  if (communicator.is_inter()) throw MpiFault(MPI_ERR_COMM, "this is not for intercommunicators");
  return communicator;
}

MPI_Comm give(CommunicatorRef communicator) { return communicator.detach()->handle(); }

int free_communicator(Communicator& communicator) {
  if (const int code = communicator.attributes.clear(communicator.handle()); code != MPI_SUCCESS) return code;
  communicator.mark_freed();
  intrusive_ptr_release(&communicator);
  return MPI_SUCCESS;
}

namespace {

// What the attributes point to: the program may not write there, and does not.
int the_tag_limit = std::numeric_limits<int>::max();
int the_host = MPI_PROC_NULL;
int the_io_rank = MPI_ANY_SOURCE;
int the_clocks_agree = 0;
int the_program_number = 0;

}  // namespace

std::optional<void*> predefined_attribute(const Rank& rank, int keyval) {
  switch (keyval) {
    case MPI_TAG_UB:
      return &the_tag_limit;
    case MPI_HOST:
      return &the_host;
    case MPI_IO:
      return &the_io_rank;
    case MPI_WTIME_IS_GLOBAL:
      return &the_clocks_agree;
    case MPI_APPNUM:
      return &the_program_number;
    case MPI_UNIVERSE_SIZE: {
      static int size = rank.world().ranks();  // the same in all ranks of the run
      return &size;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace kaon::ampi

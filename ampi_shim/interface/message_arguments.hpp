// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"

namespace kaon::ampi {

/// The rank that calls, and the communicator of its call.
struct Caller {
  explicit Caller(MPI_Comm comm) : rank(running_rank()), communicator(communicator_of(rank, comm)) {}
  Rank& rank;
  Communicator& communicator;
};

// What the program gives to sends and receives. All throw MpiFault for what the standard does not allow.
inline void check_count(MPI_Count count) { require(count >= 0, MPI_ERR_COUNT, "the count is {}", count); }
inline void check_tag(int tag) { require(tag >= 0, MPI_ERR_TAG, "the tag is {}", tag); }
inline void check_rank(const Caller& caller, int rank) {
  const int peers = caller.communicator.peer_count();
  require(rank >= 0 && rank < peers, MPI_ERR_RANK, "rank {} is none of the {} that the communicator leads to", rank,
          peers);
}
inline const Datatype* checked_type(const void* buffer, MPI_Count count, MPI_Datatype handle) {
  check_count(count);
  const Datatype& type = committed_type_argument(handle);
  if (buffer == nullptr || buffer == MPI_IN_PLACE) [[unlikely]]
    require_memory(buffer, count, type);
  return &type;
}
inline Outgoing outgoing(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {buffer, count, checked_type(buffer, count, type)};
}
inline Incoming incoming(void* buffer, MPI_Count count, MPI_Datatype type) {
  return {buffer, count, checked_type(buffer, count, type)};
}
/// The destination of a message to a rank that is not MPI_PROC_NULL.
inline SendTo destination(const Caller& caller, int rank, int tag) {
  check_rank(caller, rank);
  check_tag(tag);
  const Communicator& communicator = caller.communicator;
  return {communicator.context(Traffic::point_to_point), communicator.rank_in_run(rank), communicator.rank(), tag};
}
/// `rank` may be MPI_PROC_NULL too.
inline MatchKey origin(const Caller& caller, int rank, int tag) {
  if (rank != MPI_ANY_SOURCE && rank != MPI_PROC_NULL) check_rank(caller, rank);
  if (tag != MPI_ANY_TAG) check_tag(tag);
  return {caller.communicator.context(Traffic::point_to_point), rank, tag};
}
/// True if a message goes to MPI_PROC_NULL; its tag is checked all the same.
inline bool goes_nowhere(int rank, int tag) {
  if (rank != MPI_PROC_NULL) return false;
  check_tag(tag);
  return true;
}

/// Gives a status to the program, if it wants one. MPI_ERROR stays as it is, as functions that give one status leave
/// it.
void give_status(const MPI_Status& from, MPI_Status* to);
/// Gives the status of a null or inactive request, including MPI_ERROR, to the program.
void give_empty_status(MPI_Status* to);

/// The request behind a handle; nullptr: MPI_REQUEST_NULL.
Request* request_of(MPI_Request handle);
/// The communicator whose handler gets the errors of a request; MPI_COMM_NULL: there is none.
MPI_Comm communicator_of_request(MPI_Request handle);
/// Gives a request to the program, whose errors go to the handler of this communicator.
void give_request(Request& request, MPI_Comm comm, MPI_Request* to);

/// The text for a failed operation, which goes with the error of a request.
std::string text_of_failure(int error, const MPI_Status& status);

/// The program learns that a request has ended: its handle becomes MPI_REQUEST_NULL unless it is persistent. Gives the
/// error it has ended with. A status keeps its MPI_ERROR.
Raised tell(Request& request, MPI_Request* handle, MPI_Status* status);
inline MPI_Comm communicator_handle_of(const Request& request) { return static_cast<MPI_Comm>(request.owner); }

/// The requests behind an array of handles.
class RequestArray {
 public:
  RequestArray(int count, const MPI_Request* handles);
  std::span<Request* const> all() const { return {first_, count_}; }
  Request* operator[](std::size_t i) const { return first_[i]; }
  std::size_t size() const { return count_; }
  bool has_active() const;

 private:
  static constexpr std::size_t kFew = 32;
  std::array<Request*, kFew> few_;
  std::unique_ptr<Request*[]> many_;
  Request** first_;
  std::size_t count_;
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/message_arguments.hpp"

#include <cstdint>

#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

namespace kaon::ampi {
namespace {

constexpr std::uintptr_t kFirstAddress = 0x1000;  // numbers below are predefined handles

void check_count(MPI_Count count) { require(count >= 0, MPI_ERR_COUNT, "the count is {}", count); }

void check_rank(const Caller& caller, int rank) {
  const int peers = caller.communicator.peer_count();
  require(rank >= 0 && rank < peers, MPI_ERR_RANK, "rank {} is none of the {} that the communicator leads to", rank,
          peers);
}

void check_tag(int tag) { require(tag >= 0, MPI_ERR_TAG, "the tag is {}", tag); }

const Datatype* checked_type(const void* buffer, MPI_Count count, MPI_Datatype handle) {
  check_count(count);
  const Datatype& type = committed_type_argument(handle);
  // MPI_BOTTOM is null, too: what a type of absolute addresses begins with.
  const bool needs_memory = count > 0 && type.size() > 0 && type.is_predefined();
  require(buffer != nullptr || !needs_memory, MPI_ERR_BUFFER, "the buffer is a null pointer");
  return &type;
}

}  // namespace

Outgoing outgoing(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {buffer, count, checked_type(buffer, count, type)};
}

Incoming incoming(void* buffer, MPI_Count count, MPI_Datatype type) {
  return {buffer, count, checked_type(buffer, count, type)};
}

SendTo destination(const Caller& caller, int rank, int tag) {
  check_rank(caller, rank);
  check_tag(tag);
  const Communicator& communicator = caller.communicator;
  return {communicator.context(Traffic::point_to_point), communicator.rank_in_run(rank), communicator.rank(), tag};
}

MatchKey origin(const Caller& caller, int rank, int tag) {
  if (rank != MPI_ANY_SOURCE && rank != MPI_PROC_NULL) check_rank(caller, rank);
  if (tag != MPI_ANY_TAG) check_tag(tag);
  return {caller.communicator.context(Traffic::point_to_point), rank, tag};
}

bool goes_nowhere(int rank, int tag) {
  if (rank != MPI_PROC_NULL) return false;
  check_tag(tag);
  return true;
}

void give_status(const MPI_Status& from, MPI_Status* to) {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

Request* request_of(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  Request* const request =
      reinterpret_cast<std::uintptr_t>(handle) >= kFirstAddress ? Request::alive_at(handle) : nullptr;
  require(request != nullptr, MPI_ERR_REQUEST, "that is not a request, or it has been freed");
  return request;
}

void give_request(Request& request, MPI_Comm comm, MPI_Request* to) {
  request.owner = comm;
  *to = handle_of(request);
}

std::string text_of_failure(const Request& request) {
  const MPI_Status& status = request.status();
  if (request.error() == MPI_ERR_TRUNCATE)
    return fmt::format("the message from rank {} with tag {} is longer than the {} bytes that its receive has room for",
                       status.MPI_SOURCE, status.MPI_TAG, status_bytes(status));
  return "the operation of a request has failed";
}

Raised tell(Request& request, MPI_Request* handle, MPI_Status* status) {
  Raised raised;
  raised.code = request.error();
  if (raised.code != MPI_SUCCESS) raised.text = text_of_failure(request);
  if (const int error = request.about_to_tell(); error != MPI_SUCCESS && raised.code == MPI_SUCCESS)
    raised = {error, "the query function of a generalized request has failed"};
  give_status(request.status(), status);
  if (!request.is_persistent()) *handle = MPI_REQUEST_NULL;
  request.was_told();
  return raised;
}

RequestArray::RequestArray(int count, const MPI_Request* handles) {
  require(count >= 0, MPI_ERR_COUNT, "the number of requests is {}", count);
  require(handles != nullptr || count == 0, MPI_ERR_ARG, "the array of requests is a null pointer");
  count_ = static_cast<std::size_t>(count);
  if (count_ > kFew) many_ = std::make_unique<Request*[]>(count_);
  first_ = many_ != nullptr ? many_.get() : few_.data();
  for (std::size_t i = 0; i < count_; ++i) first_[i] = request_of(handles[i]);
}

bool RequestArray::has_active() const {
  for (const Request* request : all())
    if (request != nullptr && request->state() != Request::State::inactive) return true;
  return false;
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/message_arguments.hpp"

#include <cstdint>

#include "kaon/ampi_shim/interface/handle_numbers.hpp"

namespace kaon::ampi {
void give_status(const MPI_Status& from, MPI_Status* to) {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

void give_empty_status(MPI_Status* to) {
  if (to != MPI_STATUS_IGNORE) *to = empty_status();
}

Request* request_of(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  Request* const request =
      reinterpret_cast<std::uintptr_t>(handle) >= kFirstAddress ? Request::alive_at(handle) : nullptr;
  require(request != nullptr, MPI_ERR_REQUEST, "that is not a request, or it has been freed");
  return request;
}

MPI_Comm communicator_of_request(MPI_Request handle) {
  const bool is_address = reinterpret_cast<std::uintptr_t>(handle) >= kFirstAddress;
  const Request* const request = is_address ? Request::alive_at(handle) : nullptr;
  return request != nullptr ? communicator_handle_of(*request) : MPI_COMM_NULL;
}

void give_request(Request& request, MPI_Comm comm, MPI_Request* to) {
  request.owner = comm;
  *to = reinterpret_cast<MPI_Request>(request.give_handle());
}

std::string text_of_failure(int error, const MPI_Status& status) {
  if (error == MPI_ERR_TRUNCATE)
    return fmt::format("the message from rank {} with tag {} is longer than the {} bytes that its receive has room for",
                       status.MPI_SOURCE, status.MPI_TAG, status_bytes(status));
  if (error == MPI_ERR_TYPE)
    return fmt::format(
        "the message from rank {} with tag {} has {} bytes, which are no whole elements of the type that "
        "it is received as",
        status.MPI_SOURCE, status.MPI_TAG, status_bytes(status));
  if (error == MPI_ERR_COUNT)
    return fmt::format(
        "the partitioned send of rank {} with tag {} has {} bytes in all, and its receive is for more; let both sides "
        "give the same number of bytes in all",
        status.MPI_SOURCE, status.MPI_TAG, status_bytes(status));
  return "the operation of a request has failed";
}

Raised tell(Request& request, MPI_Request* handle, MPI_Status* status) {
  Raised raised;
  raised.code = request.error();
  if (raised.code != MPI_SUCCESS) raised.text = text_of_failure(raised.code, request.status());
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

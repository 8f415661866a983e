// SPDX-License-Identifier: Apache-2.0
// Completion of one request, its start and end, and generalized requests.
#include <mpi.h>

#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

using namespace kaon::ampi;

namespace {

bool is_inactive(const Request* request) { return request == nullptr || request->state() == Request::State::inactive; }

/// The program is told of the end of a request, and its error handler of the error.
int tell_of(const char* function, Request& request, MPI_Request* handle, MPI_Status* status) {
  const MPI_Comm comm = communicator_handle_of(request);
  const Raised raised = tell(request, handle, status);
  return raised.code == MPI_SUCCESS ? MPI_SUCCESS : raise(function, raised, comm);
}

void start(MPI_Request handle) {
  Request* const request = request_of(handle);
  require(request != nullptr && request->is_persistent(), MPI_ERR_REQUEST, "only persistent requests can be started");
  require(is_inactive(request), MPI_ERR_REQUEST, "the request is active already");
  request->start();
  let_leave(running_rank());
}

}  // namespace

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return mpi_call("MPI_Wait", [&]() -> int {
    Rank& rank = running_rank();
    require_place(request, "request");
    Request* const waited = request_of(*request);
    if (is_inactive(waited)) {
      give_empty_status(status);
      return MPI_SUCCESS;
    }
    wait_for(rank, *waited);
    return tell_of("MPI_Wait", *waited, request, status);
  });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return mpi_call("MPI_Test", [&]() -> int {
    Rank& rank = running_rank();
    require_place(request, "request");
    require_place(flag, "flag");
    Request* const tested = request_of(*request);
    *flag = 1;
    if (is_inactive(tested)) {
      give_empty_status(status);
      return MPI_SUCCESS;
    }
    if (!tested->is_complete()) give_way(rank);
    *flag = tested->is_complete() ? 1 : 0;
    return *flag != 0 ? tell_of("MPI_Test", *tested, request, status) : MPI_SUCCESS;
  });
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return mpi_call("MPI_Request_get_status", [&] {
    Rank& rank = running_rank();
    require_place(flag, "flag");
    Request* const asked = request_of(request);
    *flag = 1;
    if (is_inactive(asked)) return give_empty_status(status);
    if (!asked->is_complete()) give_way(rank);
    *flag = asked->is_complete() ? 1 : 0;
    if (*flag == 0) return;
    (void)asked->about_to_tell();
    give_status(asked->status(), status);
  });
}

int MPI_Request_free(MPI_Request* request) {
  return mpi_call("MPI_Request_free", [&] {
    (void)running_rank();
    require_place(request, "request");
    Request* const freed = request_of(*request);
    require(freed != nullptr, MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    freed->check_free();
    freed->free();
    *request = MPI_REQUEST_NULL;
  });
}

int MPI_Cancel(MPI_Request* request) {
  return mpi_call("MPI_Cancel", [&] {
    (void)running_rank();
    require_place(request, "request");
    Request* const cancelled = request_of(*request);
    require(!is_inactive(cancelled), MPI_ERR_REQUEST, "there is no active request");
    cancelled->cancel();
  });
}

int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  return mpi_call("MPI_Test_cancelled", [&] {
    require_place(status, "status");
    require_place(flag, "flag");
    *flag = is_status_cancelled(*status) ? 1 : 0;
  });
}

int MPI_Status_set_cancelled(MPI_Status* status, int flag) {
  return mpi_call("MPI_Status_set_cancelled", [&] {
    require_place(status, "status");
    set_status_cancelled(*status, flag != 0);
  });
}

int MPI_Start(MPI_Request* request) {
  return mpi_call("MPI_Start", [&] {
    (void)running_rank();
    require_place(request, "request");
    start(*request);
  });
}

int MPI_Startall(int count, MPI_Request array_of_requests[]) {
  return mpi_call("MPI_Startall", [&] {
    (void)running_rank();
    const RequestArray requests(count, array_of_requests);
    for (std::size_t i = 0; i < requests.size(); ++i) start(array_of_requests[i]);
  });
}

// --- generalized requests

int MPI_Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                       MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  return mpi_call("MPI_Grequest_start", [&] {
    (void)running_rank();
    require_place(request, "request");
    give_request(*new GeneralizedRequest(query_fn, free_fn, cancel_fn, extra_state), MPI_COMM_NULL, request);
  });
}

int MPI_Grequest_complete(MPI_Request request) {
  return mpi_call("MPI_Grequest_complete", [&] {
    (void)running_rank();
    auto* const completed = dynamic_cast<GeneralizedRequest*>(request_of(request));
    require(completed != nullptr, MPI_ERR_REQUEST, "the request is no generalized one");
    completed->completed_by_program();
  });
}

// --- the public members of statuses

int MPI_Status_get_source(const MPI_Status* status, int* source) {
  return mpi_call("MPI_Status_get_source", [&] {
    require_place(status, "status");
    require_place(source, "source");
    *source = status->MPI_SOURCE;
  });
}
int MPI_Status_get_tag(const MPI_Status* status, int* tag) {
  return mpi_call("MPI_Status_get_tag", [&] {
    require_place(status, "status");
    require_place(tag, "tag");
    *tag = status->MPI_TAG;
  });
}
int MPI_Status_get_error(const MPI_Status* status, int* error) {
  return mpi_call("MPI_Status_get_error", [&] {
    require_place(status, "status");
    require_place(error, "error");
    *error = status->MPI_ERROR;
  });
}
int MPI_Status_set_source(MPI_Status* status, int source) {
  return mpi_call("MPI_Status_set_source", [&] {
    require_place(status, "status");
    status->MPI_SOURCE = source;
  });
}
int MPI_Status_set_tag(MPI_Status* status, int tag) {
  return mpi_call("MPI_Status_set_tag", [&] {
    require_place(status, "status");
    status->MPI_TAG = tag;
  });
}
int MPI_Status_set_error(MPI_Status* status, int error) {
  return mpi_call("MPI_Status_set_error", [&] {
    require_place(status, "status");
    status->MPI_ERROR = error;
  });
}

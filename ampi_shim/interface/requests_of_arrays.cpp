// SPDX-License-Identifier: Apache-2.0
// Completion of several requests.
#include <mpi.h>

#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"

using namespace kaon::ampi;

namespace {

MPI_Status* status_at(MPI_Status* statuses, std::size_t i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/// Tells the program of several requests: errors are in their statuses, all of which have one then.
class Telling {
 public:
  Telling(MPI_Request* handles, MPI_Status* statuses) : handles_(handles), statuses_(statuses) {}

  /// Number `i` of the requests, with the status at `place`.
  void tell_of(Request* request, std::size_t i, std::size_t place) {
    MPI_Status* const status = status_at(statuses_, place);
    if (request == nullptr || request->state() == Request::State::inactive) {
      give_empty_status(status);
      return note(place, {});
    }
    const MPI_Comm comm = communicator_handle_of(*request);
    const Raised raised = tell(*request, &handles_[i], status);
    if (raised.code != MPI_SUCCESS && first_.code == MPI_SUCCESS) comm_ = comm;
    note(place, raised);
  }
  int result(const char* function) const {
    if (first_.code == MPI_SUCCESS) return MPI_SUCCESS;
    return raise(function, {MPI_ERR_IN_STATUS, first_.text}, comm_);
  }

 private:
  void note(std::size_t place, const Raised& raised) {
    if (raised.code != MPI_SUCCESS && first_.code == MPI_SUCCESS) {
      first_ = raised;
      for (std::size_t i = 0; i < place; ++i) set_error(i, MPI_SUCCESS);
    }
    if (first_.code != MPI_SUCCESS) set_error(place, raised.code);
  }
  void set_error(std::size_t place, int error) {
    if (MPI_Status* const status = status_at(statuses_, place); status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  }

  MPI_Request* handles_;
  MPI_Status* statuses_;
  Raised first_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

bool have_all_ended(const RequestArray& requests) {
  for (const Request* request : requests.all())
    if (request != nullptr && request->is_active()) return false;
  return true;
}

constexpr std::size_t kNone = ~std::size_t{0};

std::size_t first_complete(const RequestArray& requests) {
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (requests[i] != nullptr && requests[i]->is_complete()) return i;
  return kNone;
}

int tell_all(const char* function, const RequestArray& requests, MPI_Request* handles, MPI_Status* statuses) {
  Telling telling(handles, statuses);
  for (std::size_t i = 0; i < requests.size(); ++i) telling.tell_of(requests[i], i, i);
  return telling.result(function);
}

int tell_one(const char* function, Request& request, MPI_Request* handle, MPI_Status* status) {
  const MPI_Comm comm = communicator_handle_of(request);
  const Raised raised = tell(request, handle, status);
  return raised.code == MPI_SUCCESS ? MPI_SUCCESS : raise(function, raised, comm);
}

int tell_some(const char* function, const RequestArray& requests, MPI_Request* handles, int* count, int* indices,
              MPI_Status* statuses) {
  Telling telling(handles, statuses);
  std::size_t place = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] == nullptr || !requests[i]->is_complete()) continue;
    indices[place] = static_cast<int>(i);
    telling.tell_of(requests[i], i, place++);
  }
  *count = static_cast<int>(place);
  return telling.result(function);
}

/// MPI_Waitsome and MPI_Testsome, which `look` in different ways for what is complete.
template <class Look>
int complete_some(const char* function, int incount, MPI_Request* handles, int* count, int* indices,
                  MPI_Status* statuses, Look look) {
  return mpi_call(function, [&]() -> int {
    Rank& rank = running_rank();
    require_place(count, "outcount");
    const RequestArray requests(incount, handles);
    *count = MPI_UNDEFINED;
    if (!requests.has_active()) return MPI_SUCCESS;
    look(rank, requests);
    return tell_some(function, requests, handles, count, indices, statuses);
  });
}

/// No request is active: what functions that look for one say of it.
void give_none(int* index, MPI_Status* status) {
  *index = MPI_UNDEFINED;
  give_empty_status(status);
}

}  // namespace

int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  return mpi_call("MPI_Waitall", [&]() -> int {
    Rank& rank = running_rank();
    const RequestArray requests(count, array_of_requests);
    wait_for_all(rank, requests.all());
    return tell_all("MPI_Waitall", requests, array_of_requests, array_of_statuses);
  });
}

int MPI_Testall(int count, MPI_Request array_of_requests[], int* flag, MPI_Status* array_of_statuses) {
  return mpi_call("MPI_Testall", [&]() -> int {
    Rank& rank = running_rank();
    require_place(flag, "flag");
    const RequestArray requests(count, array_of_requests);
    if (!have_all_ended(requests)) give_way(rank);
    *flag = have_all_ended(requests) ? 1 : 0;
    return *flag != 0 ? tell_all("MPI_Testall", requests, array_of_requests, array_of_statuses) : MPI_SUCCESS;
  });
}

int MPI_Waitany(int count, MPI_Request array_of_requests[], int* indx, MPI_Status* status) {
  return mpi_call("MPI_Waitany", [&]() -> int {
    Rank& rank = running_rank();
    require_place(indx, "index");
    const RequestArray requests(count, array_of_requests);
    wait_for_any(rank, requests.all());
    const std::size_t found = first_complete(requests);
    if (found == kNone) {
      give_none(indx, status);
      return MPI_SUCCESS;
    }
    *indx = static_cast<int>(found);
    return tell_one("MPI_Waitany", *requests[found], &array_of_requests[found], status);
  });
}

int MPI_Testany(int count, MPI_Request array_of_requests[], int* indx, int* flag, MPI_Status* status) {
  return mpi_call("MPI_Testany", [&]() -> int {
    Rank& rank = running_rank();
    require_place(indx, "index");
    require_place(flag, "flag");
    const RequestArray requests(count, array_of_requests);
    const bool has_active = requests.has_active();
    if (has_active && first_complete(requests) == kNone) give_way(rank);
    const std::size_t found = first_complete(requests);
    *flag = !has_active || found != kNone ? 1 : 0;
    if (found != kNone) {
      *indx = static_cast<int>(found);
      return tell_one("MPI_Testany", *requests[found], &array_of_requests[found], status);
    }
    *indx = MPI_UNDEFINED;
    if (!has_active) give_none(indx, status);
    return MPI_SUCCESS;
  });
}

int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status* array_of_statuses) {
  return complete_some("MPI_Waitsome", incount, array_of_requests, outcount, array_of_indices, array_of_statuses,
                       [](Rank& rank, const RequestArray& requests) { wait_for_any(rank, requests.all()); });
}

int MPI_Testsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status* array_of_statuses) {
  return complete_some("MPI_Testsome", incount, array_of_requests, outcount, array_of_indices, array_of_statuses,
                       [](Rank& rank, const RequestArray& requests) {
                         if (first_complete(requests) == kNone) give_way(rank);
                       });
}

// --- without telling, so that the requests stay

namespace {

/// Of one that is complete: a generalized request's own function says what its status is.
void show_status(Request& request, MPI_Status* status) {
  (void)request.about_to_tell();
  give_status(request.status(), status);
}

}  // namespace

int MPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int* flag,
                               MPI_Status* array_of_statuses) {
  return mpi_call("MPI_Request_get_status_all", [&] {
    Rank& rank = running_rank();
    require_place(flag, "flag");
    const RequestArray requests(count, array_of_requests);
    if (!have_all_ended(requests)) give_way(rank);
    *flag = have_all_ended(requests) ? 1 : 0;
    if (*flag == 0) return;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      MPI_Status* const status = status_at(array_of_statuses, i);
      if (requests[i] == nullptr || !requests[i]->is_complete())
        give_empty_status(status);
      else
        show_status(*requests[i], status);
    }
  });
}

int MPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int* indx, int* flag,
                               MPI_Status* status) {
  return mpi_call("MPI_Request_get_status_any", [&] {
    Rank& rank = running_rank();
    require_place(indx, "index");
    require_place(flag, "flag");
    const RequestArray requests(count, array_of_requests);
    *flag = 1;
    if (!requests.has_active()) return give_none(indx, status);
    if (first_complete(requests) == kNone) give_way(rank);
    const std::size_t found = first_complete(requests);
    *flag = found != kNone ? 1 : 0;
    *indx = found != kNone ? static_cast<int>(found) : MPI_UNDEFINED;
    if (found != kNone) show_status(*requests[found], status);
  });
}

int MPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int* outcount,
                                int array_of_indices[], MPI_Status* array_of_statuses) {
  return mpi_call("MPI_Request_get_status_some", [&] {
    Rank& rank = running_rank();
    require_place(outcount, "outcount");
    const RequestArray requests(incount, array_of_requests);
    *outcount = MPI_UNDEFINED;
    if (!requests.has_active()) return;
    if (first_complete(requests) == kNone) give_way(rank);
    int found = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (requests[i] == nullptr || !requests[i]->is_complete()) continue;
      array_of_indices[found] = static_cast<int>(i);
      show_status(*requests[i], status_at(array_of_statuses, static_cast<std::size_t>(found)));
      ++found;
    }
    *outcount = found;
  });
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at requests that leave them as they are, and statuses that are written by hand. Any number of ranks. */
#include <string.h>

#include "check.h"

static int rank, next, last;

static void looks(void) {
  enum { kRequests = 4 };
  int in[kRequests], flag, index, count, indices[kRequests];
  MPI_Request requests[kRequests];
  MPI_Status statuses[kRequests], status;
  for (int i = 0; i < kRequests; ++i) CHECK(!MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &requests[i]));
  CHECK(!MPI_Barrier(MPI_COMM_WORLD)); /* nobody has sent yet */
  CHECK(!MPI_Request_get_status_all(kRequests, requests, &flag, statuses) && !flag);
  CHECK(!MPI_Request_get_status_any(kRequests, requests, &index, &flag, &status) && !flag);
  CHECK(!MPI_Request_get_status_some(kRequests, requests, &count, indices, statuses) && count == 0);
  CHECK(!MPI_Barrier(MPI_COMM_WORLD));
  CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD));
  do {
    CHECK(!MPI_Request_get_status_any(kRequests, requests, &index, &flag, &status));
  } while (!flag);
  CHECK(index == 2 && status.MPI_SOURCE == last && status.MPI_TAG == 2 && requests[2] != MPI_REQUEST_NULL);
  CHECK(!MPI_Request_get_status_some(kRequests, requests, &count, indices, statuses) && count == 1);
  CHECK(indices[0] == 2 && statuses[0].MPI_TAG == 2);
  CHECK(!MPI_Barrier(MPI_COMM_WORLD)); /* all have seen it alone */
  for (int i = 0; i < kRequests; ++i)
    if (i != 2) CHECK(!MPI_Send(&rank, 1, MPI_INT, next, i, MPI_COMM_WORLD));
  do {
    CHECK(!MPI_Request_get_status_all(kRequests, requests, &flag, statuses));
  } while (!flag);
  for (int i = 0; i < kRequests; ++i) CHECK(statuses[i].MPI_TAG == i && in[i] == last);
  CHECK(!MPI_Waitall(kRequests, requests, statuses));
  CHECK(!MPI_Request_get_status_any(kRequests, requests, &index, &flag, &status) && flag && index == MPI_UNDEFINED);
  CHECK(!MPI_Request_get_status_some(kRequests, requests, &count, indices, statuses) && count == MPI_UNDEFINED);
  CHECK(!MPI_Request_get_status(requests[0], &flag, &status) && flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
}

static int told; /* how often the query function was asked */

static int query(void* state, MPI_Status* status) {
  ++told;
  status->MPI_SOURCE = *(int*)state;
  status->MPI_TAG = 9;
  return MPI_Status_set_elements(status, MPI_INT, 3);
}
static int release(void* state) { return state == NULL ? MPI_ERR_OTHER : MPI_SUCCESS; }
static int refuse(void* state, int complete) { return complete ? MPI_SUCCESS : release(state); }

/* Once more, and in the status, which is empty behind it. */
static int is_told(MPI_Status* status, int calls) {
  int count;
  const int holds = !MPI_Get_count(status, MPI_INT, &count) && count == 3 && status->MPI_SOURCE == 3 &&
                    status->MPI_TAG == 9 && told == calls;
  memset(status, 0, sizeof *status);
  return holds;
}

/* What all looks at a generalized request have to ask. */
static void looks_at_generalized(void) {
  int state = 3, flag, index, count;
  MPI_Request request;
  MPI_Status status;
  CHECK(!MPI_Grequest_start(query, release, refuse, &state, &request));
  CHECK(!MPI_Request_get_status(request, &flag, &status) && !flag && told == 0);
  CHECK(!MPI_Grequest_complete(request));
  CHECK(!MPI_Request_get_status(request, &flag, &status) && flag && is_told(&status, 1));
  CHECK(!MPI_Request_get_status_all(1, &request, &flag, &status) && flag && is_told(&status, 2));
  CHECK(!MPI_Request_get_status_any(1, &request, &index, &flag, &status) && flag && is_told(&status, 3));
  CHECK(!MPI_Request_get_status_some(1, &request, &count, &index, &status) && count == 1 && is_told(&status, 4));
  CHECK(!MPI_Wait(&request, &status) && is_told(&status, 5));
}

static void by_hand(void) {
  MPI_Status status;
  MPI_Count large;
  int value;
  CHECK(!MPI_Status_set_source(&status, 3) && !MPI_Status_get_source(&status, &value) && value == 3);
  CHECK(!MPI_Status_set_tag(&status, 4) && !MPI_Status_get_tag(&status, &value) && value == 4);
  CHECK(!MPI_Status_set_error(&status, MPI_ERR_TAG) && !MPI_Status_get_error(&status, &value) && value == MPI_ERR_TAG);
  CHECK(status.MPI_SOURCE == 3 && status.MPI_TAG == 4 && status.MPI_ERROR == MPI_ERR_TAG);
  CHECK(!MPI_Status_set_cancelled(&status, 1) && !MPI_Test_cancelled(&status, &value) && value);
  CHECK(!MPI_Status_set_cancelled(&status, 0) && !MPI_Test_cancelled(&status, &value) && !value);
  CHECK(!MPI_Status_set_elements(&status, MPI_INT, 5) && !MPI_Get_count(&status, MPI_INT, &value) && value == 5);
  MPI_Datatype nothing; /* of which no number makes these bytes */
  CHECK(!MPI_Type_contiguous(0, MPI_INT, &nothing) && !MPI_Type_commit(&nothing));
  CHECK(!MPI_Get_count(&status, nothing, &value) && value == MPI_UNDEFINED);
  CHECK(!MPI_Get_elements(&status, nothing, &value) && value == MPI_UNDEFINED && !MPI_Type_free(&nothing));
  CHECK(!MPI_Status_set_elements_c(&status, MPI_CHAR, (MPI_Count)1 << 40));
  CHECK(!MPI_Get_count_c(&status, MPI_CHAR, &large) && large == (MPI_Count)1 << 40);
  CHECK(!MPI_Get_count(&status, MPI_CHAR, &value) && value == MPI_UNDEFINED);
  CHECK(!MPI_Status_set_elements_x(&status, MPI_DOUBLE, 7));
  CHECK(!MPI_Get_elements_x(&status, MPI_DOUBLE, &large) && large == 7);
}

static void of_fortran(void) {
  MPI_Status status, back;
  MPI_Fint integers[MPI_F_STATUS_SIZE];
  MPI_F08_status f08;
  int count;
  CHECK(!MPI_Sendrecv(&rank, 1, MPI_INT, next, 9, &count, 1, MPI_INT, last, 9, MPI_COMM_WORLD, &status));
  CHECK(!MPI_Status_c2f(&status, integers) && integers[MPI_F_SOURCE] == last && integers[MPI_F_TAG] == 9);
  CHECK(!MPI_Status_f2c(integers, &back) && back.MPI_SOURCE == last && back.MPI_TAG == 9);
  CHECK(!MPI_Get_count(&back, MPI_INT, &count) && count == 1);
  CHECK(!MPI_Status_f2f08(integers, &f08) && !MPI_Status_f082c(&f08, &back) && back.MPI_TAG == 9);
  CHECK(!MPI_Status_c2f08(&status, &f08) && !MPI_Status_f082f(&f08, integers) && integers[MPI_F_SOURCE] == last);
}

/* Calls that give one status tell of errors by their result, and leave its MPI_ERROR. */
static void error_stays(void) {
  enum { kMine = 4711 };
  int value, flag, index;
  MPI_Request request;
  MPI_Status status = {.MPI_ERROR = kMine};
  for (int i = 0; i < 4; ++i) CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 11, MPI_COMM_WORLD));
  CHECK(!MPI_Probe(last, 11, MPI_COMM_WORLD, &status) && status.MPI_TAG == 11 && status.MPI_ERROR == kMine);
  CHECK(!MPI_Recv(&value, 1, MPI_INT, last, 11, MPI_COMM_WORLD, &status) && status.MPI_ERROR == kMine);
  CHECK(!MPI_Irecv(&value, 1, MPI_INT, last, 11, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Wait(&request, &status) && status.MPI_SOURCE == last && status.MPI_ERROR == kMine);
  CHECK(!MPI_Irecv(&value, 1, MPI_INT, last, 11, MPI_COMM_WORLD, &request));
  do {
    CHECK(!MPI_Test(&request, &flag, &status));
  } while (!flag);
  CHECK(status.MPI_SOURCE == last && status.MPI_ERROR == kMine);
  CHECK(!MPI_Irecv(&value, 1, MPI_INT, last, 11, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Waitany(1, &request, &index, &status) && index == 0 && status.MPI_ERROR == kMine);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  looks();
  looks_at_generalized();
  by_hand();
  of_fortran();
  error_stays();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

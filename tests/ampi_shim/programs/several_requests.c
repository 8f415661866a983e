/* SPDX-License-Identifier: Apache-2.0 */
/* What calls for several requests say: of errors, which are in all statuses then, and where there is nothing. Each rank
   by itself, so any number of ranks. */
#include "check.h"

enum { kMine = 4711, kRequests = 4, kShort = 2 };

static int calls, last_code;
static MPI_Comm last_comm;

static void note_call(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last_comm = *comm;
  last_code = *code;
}

static int is_empty(const MPI_Status* status) {
  int count = -1;
  return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && status->MPI_ERROR == MPI_SUCCESS &&
         !MPI_Get_count(status, MPI_INT, &count) && count == 0;
}

/* The third of four, of a communicator with a handler of its own, has too little room. */
static void one_fails(int is_some) {
  const int values[2] = {1, 2};
  int in[kRequests][2], indices[kRequests], count = kRequests;
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Request requests[kRequests];
  MPI_Status statuses[kRequests];
  CHECK(!MPI_Comm_dup(MPI_COMM_SELF, &comm) && !MPI_Comm_create_errhandler(note_call, &handler));
  CHECK(!MPI_Comm_set_errhandler(comm, handler) && !MPI_Errhandler_free(&handler));
  for (int i = 0; i < kRequests; ++i) {
    statuses[i].MPI_ERROR = kMine;
    CHECK(!MPI_Irecv(in[i], i == kShort ? 1 : 2, MPI_INT, 0, i, i == kShort ? comm : MPI_COMM_SELF, &requests[i]));
    CHECK(!MPI_Send(values, 2, MPI_INT, 0, i, i == kShort ? comm : MPI_COMM_SELF));
  }
  calls = 0;
  const int code = is_some ? MPI_Waitsome(kRequests, requests, &count, indices, statuses)
                           : MPI_Waitall(kRequests, requests, statuses);
  CHECK(code == MPI_ERR_IN_STATUS && count == kRequests);
  CHECK(calls == 1 && last_code == MPI_ERR_IN_STATUS && last_comm == comm);
  for (int i = 0; i < kRequests; ++i) {
    CHECK(statuses[i].MPI_ERROR == (i == kShort ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
    CHECK(requests[i] == MPI_REQUEST_NULL && statuses[i].MPI_TAG == i);
  }
  CHECK(!MPI_Comm_free(&comm));
}

static void nothing_is_there(void) {
  int value = 0, index = 0, flag = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status = {.MPI_SOURCE = 5, .MPI_TAG = 5, .MPI_ERROR = kMine};
  CHECK(!MPI_Waitany(1, &request, &index, &status) && index == MPI_UNDEFINED && is_empty(&status));
  status.MPI_TAG = 5;
  CHECK(!MPI_Testany(1, &request, &index, &flag, &status) && flag && index == MPI_UNDEFINED && is_empty(&status));
  CHECK(!MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
  index = 0;
  CHECK(!MPI_Testany(1, &request, &index, &flag, &status) && !flag && index == MPI_UNDEFINED);
  CHECK(!MPI_Cancel(&request) && !MPI_Wait(&request, &status));
  CHECK(!MPI_Recv_init(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
  CHECK(MPI_Cancel(&request) == MPI_ERR_REQUEST); /* it has not begun */
  CHECK(!MPI_Request_free(&request));
}

static void messages_of_nobody(void) {
  int value = 3, flag = 1;
  MPI_Message message = MPI_MESSAGE_NO_PROC;
  MPI_Status status;
  CHECK(!MPI_Improbe(0, 1, MPI_COMM_SELF, &flag, &message, &status) && !flag && message == MPI_MESSAGE_NULL);
  CHECK(!MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_SELF, &message, &status) && message == MPI_MESSAGE_NO_PROC);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
  CHECK(!MPI_Mrecv(&value, 1, MPI_INT, &message, &status) && message == MPI_MESSAGE_NULL && value == 3);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  one_fails(0);
  one_fails(1);
  nothing_is_there();
  messages_of_nobody();
  if (rank_of_world() == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

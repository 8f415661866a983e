/* SPDX-License-Identifier: Apache-2.0 */
/* Modes, exchanges, persistent requests, completion of several, probes, cancel. Any number of ranks. */
#include <stdlib.h>

#include "check.h"

enum { kMany = 100000 };
static int rank, size, next, last, sent_last[kMany];

static void modes(void) {
  static char buffer[100000];
  int values[4] = {0}, big[3000] = {0};
  void* detached;
  int bytes;
  MPI_Request requests[4];
  CHECK(MPI_Buffer_attach(buffer, sizeof buffer) == MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) CHECK(MPI_Irecv(&values[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &requests[i]) == 0);
  int value = rank;
  CHECK(MPI_Bsend(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Ssend(&value, 1, MPI_INT, next, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Request sends[2];
  CHECK(MPI_Issend(&value, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &sends[0]) == MPI_SUCCESS);
  CHECK(MPI_Irsend(&value, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &sends[1]) == MPI_SUCCESS);
  CHECK(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) CHECK(values[i] == last);
  big[2999] = rank;
  CHECK(MPI_Bsend(big, 3000, MPI_INT, next, 9, MPI_COMM_WORLD) == MPI_SUCCESS);
  big[2999] = -1;
  CHECK(MPI_Recv(big, 3000, MPI_INT, last, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS && big[2999] == last);
  CHECK(MPI_Buffer_detach(&detached, &bytes) == MPI_SUCCESS && detached == buffer && bytes == sizeof buffer);
}

static void synchronous_send_waits(void) {
  int value = 7, flag = 1;
  MPI_Request send;
  if (size < 2 || rank > 1) return;
  if (rank == 0) {
    CHECK(MPI_Issend(&value, 1, MPI_INT, 1, 20, MPI_COMM_WORLD, &send) == MPI_SUCCESS);
    for (int i = 0; i < 50; ++i) CHECK(MPI_Test(&send, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag);
    CHECK(MPI_Send(&value, 1, MPI_INT, 1, 21, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_Wait(&send, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  } else {
    CHECK(MPI_Recv(&value, 1, MPI_INT, 0, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_Recv(&value, 1, MPI_INT, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
}

static void exchanges(void) {
  static const int counts[] = {1, 30000};
  for (int i = 0; i < 2; ++i) {
    int* out = calloc((size_t)counts[i], sizeof(int));
    int* in = calloc((size_t)counts[i], sizeof(int));
    MPI_Status status;
    MPI_Request request;
    out[counts[i] - 1] = rank;
    CHECK(MPI_Sendrecv(out, counts[i], MPI_INT, next, 1, in, counts[i], MPI_INT, last, 1, MPI_COMM_WORLD, &status) ==
          0);
    CHECK(in[counts[i] - 1] == last && status.MPI_SOURCE == last);
    CHECK(MPI_Sendrecv_replace(out, counts[i], MPI_INT, next, 2, last, 2, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
    CHECK(out[counts[i] - 1] == last);
    CHECK(MPI_Isendrecv_replace(out, counts[i], MPI_INT, last, 3, next, 3, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && status.MPI_SOURCE == next && out[counts[i] - 1] == rank);
    CHECK(MPI_Isendrecv(out, counts[i], MPI_INT, next, 4, in, counts[i], MPI_INT, last, 4, MPI_COMM_WORLD, &request) ==
          MPI_SUCCESS);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && in[counts[i] - 1] == last);
    free(out);
    free(in);
  }
}

/* More comes than there is room for: before the exchange, or while it waits. */
static void errors_of_exchanges(void) {
  const int out[4] = {1, 2, 3, 4};
  int in[4] = {-1, -1, -1, -1}, class, count;
  MPI_Status status;
  MPI_Request sent, request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int is_early = 0; is_early < 2; ++is_early) {
    if (is_early) CHECK(!MPI_Isend(out, 4, MPI_INT, next, 5, MPI_COMM_WORLD, &sent));
    if (is_early) CHECK(!MPI_Probe(last, 5, MPI_COMM_WORLD, &status));
    CHECK(!MPI_Isendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 5, in, 2, MPI_INT, last, 5, MPI_COMM_WORLD, &request));
    if (!is_early) CHECK(!MPI_Isend(out, 4, MPI_INT, next, 5, MPI_COMM_WORLD, &sent));
    const int error = MPI_Wait(&request, &status);
    CHECK(!MPI_Error_class(error, &class) && class == MPI_ERR_TRUNCATE && status.MPI_SOURCE == last);
    CHECK(!MPI_Get_count(&status, MPI_INT, &count) && count == 2 && in[1] == 2 && in[2] == -1);
    CHECK(!MPI_Wait(&sent, MPI_STATUS_IGNORE));
  }
  const int error = MPI_Sendrecv(out, 4, MPI_INT, next, 5, in, 2, MPI_INT, last, 5, MPI_COMM_WORLD, &status);
  CHECK(!MPI_Error_class(error, &class) && class == MPI_ERR_TRUNCATE && in[2] == -1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void from_nowhere(void) {
  int out = rank, in = -1;
  MPI_Status status;
  MPI_Request request;
  CHECK(!MPI_Isendrecv(&out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Recv(&in, 1, MPI_INT, last, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE) && in == last);
  CHECK(!MPI_Wait(&request, &status) && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  CHECK(!MPI_Recv_init(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request));
  for (int i = 0; i < 2; ++i) {
    CHECK(!MPI_Start(&request) && !MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  }
  CHECK(!MPI_Request_free(&request));
}

static void freed_while_active(void) {
  int in = -1, flag, class;
  MPI_Request request, freed;
  CHECK(!MPI_Irecv(&in, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &request));
  freed = request;
  CHECK(!MPI_Request_free(&request) && request == MPI_REQUEST_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(!MPI_Error_class(MPI_Test(&freed, &flag, MPI_STATUS_IGNORE), &class) && class == MPI_ERR_REQUEST);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 7, MPI_COMM_WORLD));
  while (*(volatile int*)&in != last) CHECK(!MPI_Iprobe(last, 8, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Late as they are received, sends whose requests are freed end before MPI_Finalize does. */
static void freed_sends(void) {
  static int in[kMany];
  MPI_Request request;
  int flag;
  for (int i = 0; i < kMany; ++i) sent_last[i] = rank + i;
  if (rank % 2 == 0 && next != rank) {
    CHECK(!MPI_Isend(sent_last, kMany, MPI_INT, next, 50, MPI_COMM_WORLD, &request) && !MPI_Request_free(&request));
  }
  if (last % 2 != 0 || last == rank) return;
  for (int i = 0; i < 500; ++i) CHECK(!MPI_Iprobe(last, 51, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  CHECK(!MPI_Recv(in, kMany, MPI_INT, last, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (int i = 0; i < kMany; ++i) CHECK(in[i] == last + i);
}

static void persistent(void) {
  int out = 0, in = -1;
  MPI_Request requests[2], copy;
  CHECK(MPI_Send_init(&out, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
  CHECK(MPI_Recv_init(&in, 1, MPI_INT, last, 6, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
  copy = requests[0];
  for (int i = 0; i < 5; ++i) {
    out = rank * 100 + i;
    CHECK(MPI_Startall(2, requests) == MPI_SUCCESS);
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(in == last * 100 + i && requests[0] == copy);
  }
  MPI_Status status;
  int flag = 0;
  status.MPI_ERROR = MPI_ERR_OTHER; /* an empty status has no error, where others leave what was there */
  CHECK(MPI_Test(&requests[0], &flag, &status) == MPI_SUCCESS && flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
  CHECK(status.MPI_TAG == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
  status.MPI_ERROR = MPI_ERR_OTHER;
  CHECK(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status) == MPI_SUCCESS && flag);
  CHECK(status.MPI_ERROR == MPI_SUCCESS);
  CHECK(MPI_Request_free(&requests[0]) == MPI_SUCCESS && MPI_Request_free(&requests[1]) == MPI_SUCCESS);
  CHECK(requests[0] == MPI_REQUEST_NULL);
}

static void completion_of_several(void) {
  enum { kRequests = 40 };
  int in[kRequests], out[kRequests], indices[kRequests], done = 0, index, count, flag;
  MPI_Request receives[kRequests], sends[kRequests];
  MPI_Status statuses[kRequests];
  for (int i = 0; i < kRequests; ++i) {
    CHECK(MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &receives[i]) == MPI_SUCCESS);
    out[i] = rank + i;
  }
  for (int i = kRequests - 1; i >= 0; --i)
    CHECK(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &sends[i]) == MPI_SUCCESS);
  for (; done < 10; ++done) {
    CHECK(MPI_Waitany(kRequests, receives, &index, statuses) == MPI_SUCCESS);
    CHECK(index >= 0 && receives[index] == MPI_REQUEST_NULL && in[index] == last + index);
    CHECK(statuses[0].MPI_TAG == index);
  }
  while (done < kRequests - 5) {
    CHECK(MPI_Waitsome(kRequests, receives, &count, indices, statuses) == MPI_SUCCESS && count > 0);
    for (int i = 0; i < count; ++i) CHECK(in[indices[i]] == last + indices[i] && statuses[i].MPI_TAG == indices[i]);
    done += count;
  }
  do {
    CHECK(MPI_Testall(kRequests, receives, &flag, statuses) == MPI_SUCCESS);
  } while (!flag);
  CHECK(MPI_Testany(kRequests, receives, &index, &flag, statuses) == MPI_SUCCESS && flag && index == MPI_UNDEFINED);
  CHECK(MPI_Waitsome(kRequests, receives, &count, indices, statuses) == MPI_SUCCESS && count == MPI_UNDEFINED);
  CHECK(MPI_Waitall(kRequests, sends, statuses) == MPI_SUCCESS);
}

/* One that goes on behind the wait for any of several: nobody is told of its end any more, as others use the stack. */
static void use_stack(void) {
  volatile char memory[20000];
  for (size_t i = 0; i < sizeof memory; ++i) memory[i] = (char)0xff;
}
static void rest_of_several(void) {
  int in[2] = {-1, -1}, index;
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) CHECK(!MPI_Irecv(&in[i], 1, MPI_INT, last, 50 + i, MPI_COMM_WORLD, &requests[i]));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request send;
  CHECK(!MPI_Isend(&rank, 1, MPI_INT, next, 51, MPI_COMM_WORLD, &send) && !MPI_Wait(&send, MPI_STATUS_IGNORE));
  CHECK(!MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE) && index == 1 && in[1] == last);
  use_stack();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 50, MPI_COMM_WORLD));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Wait(&requests[0], MPI_STATUS_IGNORE) && in[0] == last);
}

static void probes(void) {
  int value = rank, got = -1, flag = 0, count;
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  CHECK(MPI_Isend(&value, 1, MPI_INT, next, 30, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  CHECK(MPI_Probe(MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == last && count == 1);
  do {
    CHECK(MPI_Iprobe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status) == MPI_SUCCESS);
  } while (!flag);
  CHECK(MPI_Mprobe(last, 30, MPI_COMM_WORLD, &message, &status) == MPI_SUCCESS);
  CHECK(MPI_Iprobe(last, 30, MPI_COMM_WORLD, &flag, &status) == MPI_SUCCESS && !flag);
  CHECK(MPI_Mrecv(&got, 1, MPI_INT, &message, &status) == MPI_SUCCESS && got == last);
  CHECK(message == MPI_MESSAGE_NULL);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Isend(&value, 1, MPI_INT, next, 31, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  for (flag = 0; !flag;) CHECK(MPI_Improbe(last, 31, MPI_COMM_WORLD, &flag, &message, &status) == MPI_SUCCESS);
  MPI_Request receive;
  CHECK(MPI_Imrecv(&got, 1, MPI_INT, &message, &receive) == MPI_SUCCESS);
  CHECK(MPI_Wait(&receive, &status) == MPI_SUCCESS && got == last && status.MPI_TAG == 31);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

static void cancel(void) {
  int value = 0, flag = 0;
  MPI_Request request;
  MPI_Status status;
  CHECK(MPI_Irecv(&value, 1, MPI_INT, last, 40, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  CHECK(MPI_Cancel(&request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
  CHECK(MPI_Test_cancelled(&status, &flag) == MPI_SUCCESS && flag);
  CHECK(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  CHECK(MPI_Cancel(&request) == MPI_SUCCESS && MPI_Wait(&request, &status) == MPI_SUCCESS);
  CHECK(MPI_Test_cancelled(&status, &flag) == MPI_SUCCESS && flag);
}

static int query(void* state, MPI_Status* status) {
  status->MPI_SOURCE = *(int*)state;
  status->MPI_TAG = 9;
  return MPI_Status_set_elements(status, MPI_INT, 3);
}
static int release(void* state) {
  *(int*)state = -5;
  return MPI_SUCCESS;
}
static int refuse(void* state, int complete) { return state != NULL && complete ? MPI_SUCCESS : MPI_SUCCESS; }

static void generalized(void) {
  int state = 3, flag, count;
  MPI_Request request;
  MPI_Status status;
  CHECK(MPI_Grequest_start(query, release, refuse, &state, &request) == MPI_SUCCESS);
  CHECK(MPI_Test(&request, &flag, &status) == MPI_SUCCESS && !flag);
  CHECK(MPI_Grequest_complete(request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && status.MPI_SOURCE == 3 && status.MPI_TAG == 9 && state == -5);
  CHECK(MPI_Get_count(&status, MPI_INT, &count) == MPI_SUCCESS && count == 3);
  CHECK(MPI_Grequest_start(query, release, refuse, &state, &request) == MPI_SUCCESS);
  const MPI_Request kept = request; /* freed first, and completed by who works on it */
  CHECK(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL && (state = 3) == 3);
  CHECK(MPI_Grequest_complete(kept) == MPI_SUCCESS && state == -5);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  modes();
  synchronous_send_waits();
  exchanges();
  errors_of_exchanges();
  from_nowhere();
  freed_while_active();
  persistent();
  completion_of_several();
  rest_of_several();
  probes();
  cancel();
  generalized();
  freed_sends();
  MPI_Finalize();
  for (int i = 0; i < kMany; ++i) sent_last[i] = -1;
  if (rank == 0) printf("all is well\n");
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What partitioned sends and receives may not be used for, each with its error class, and that they go on behind it.
   Any number of ranks. */
#include <stdlib.h>

#include "check.h"

static int rank, next, last;

static int class_of(int code) {
  int class = -1;
  CHECK(!MPI_Error_class(code, &class));
  return class;
}
#define REFUSED(class, call) CHECK(class_of(call) == (class))

static void arguments(void) {
  int value[4] = {0, 0, 0, 0};
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Info none = MPI_INFO_NULL;
  const MPI_Comm world = MPI_COMM_WORLD;
  REFUSED(MPI_ERR_ARG, MPI_Psend_init(value, -1, 1, MPI_INT, next, 1, world, none, &request));
  REFUSED(MPI_ERR_COUNT, MPI_Psend_init(value, 1, -1, MPI_INT, next, 1, world, none, &request));
  REFUSED(MPI_ERR_COUNT, MPI_Psend_init(value, 1 << 30, (MPI_Count)1 << 33, MPI_INT, next, 1, world, none, &request));
  REFUSED(MPI_ERR_TYPE, MPI_Psend_init(value, 1, 1, MPI_DATATYPE_NULL, next, 1, world, none, &request));
  REFUSED(MPI_ERR_BUFFER, MPI_Psend_init(NULL, 1, 1, MPI_INT, next, 1, world, none, &request));
  REFUSED(MPI_ERR_RANK, MPI_Psend_init(value, 1, 1, MPI_INT, 1000, 1, world, none, &request));
  REFUSED(MPI_ERR_TAG, MPI_Psend_init(value, 1, 1, MPI_INT, next, -1, world, none, &request));
  REFUSED(MPI_ERR_ARG, MPI_Psend_init(value, 1, 1, MPI_INT, next, 1, world, none, NULL));
  REFUSED(MPI_ERR_INFO, MPI_Psend_init(value, 1, 1, MPI_INT, next, 1, world, (MPI_Info)value, &request));
  REFUSED(MPI_ERR_RANK, MPI_Precv_init(value, 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, world, none, &request));
  REFUSED(MPI_ERR_TAG, MPI_Precv_init(value, 1, 1, MPI_INT, last, MPI_ANY_TAG, world, none, &request));
  REFUSED(MPI_ERR_ARG, MPI_Precv_init(value, -2, 1, MPI_INT, last, 1, world, none, &request));
  REFUSED(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
  CHECK(request == MPI_REQUEST_NULL);
  int flag;
  CHECK(!MPI_Irecv(value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &request));
  REFUSED(MPI_ERR_REQUEST, MPI_Pready(0, request));
  REFUSED(MPI_ERR_REQUEST, MPI_Parrived(request, 0, &flag));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void states(void) {
  enum { kPartitions = 4 };
  int out[kPartitions] = {rank, rank + 1, rank + 2, rank + 3}, in[kPartitions];
  MPI_Request send, receive;
  const int out_of_range[] = {0, kPartitions}, twice[] = {1, 2, 1}, rest[] = {2, 0, 3};
  int flag;
  CHECK(!MPI_Psend_init(out, kPartitions, 1, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  CHECK(!MPI_Precv_init(in, kPartitions, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
  REFUSED(MPI_ERR_REQUEST, MPI_Pready(0, send));
  for (int round = 0; round < 2; ++round) {
    CHECK(!MPI_Start(&send) && !MPI_Start(&receive));
    REFUSED(MPI_ERR_REQUEST, MPI_Start(&send));
    REFUSED(MPI_ERR_REQUEST, MPI_Pready(0, receive));
    REFUSED(MPI_ERR_REQUEST, MPI_Parrived(send, 0, &flag));
    REFUSED(MPI_ERR_ARG, MPI_Parrived(receive, kPartitions, &flag));
    REFUSED(MPI_ERR_ARG, MPI_Parrived(receive, -1, &flag));
    REFUSED(MPI_ERR_ARG, MPI_Parrived(receive, 0, NULL));
    REFUSED(MPI_ERR_ARG, MPI_Pready(-1, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready(kPartitions, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_range(0, kPartitions, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_range(2, 1, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_list(2, out_of_range, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_list(3, twice, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_list(-1, twice, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_list(1, NULL, send));
    CHECK(!MPI_Pready(1, send) && !MPI_Pready_list(0, NULL, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready(1, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready_range(0, 3, send));
    REFUSED(MPI_ERR_REQUEST, MPI_Cancel(&send));
    REFUSED(MPI_ERR_REQUEST, MPI_Cancel(&receive));
    REFUSED(MPI_ERR_REQUEST, MPI_Request_free(&send));
    REFUSED(MPI_ERR_REQUEST, MPI_Request_free(&receive));
    MPI_Barrier(MPI_COMM_WORLD); /* no receive has completed by now */
    CHECK(!MPI_Pready_list(3, rest, send));
    REFUSED(MPI_ERR_ARG, MPI_Pready(0, send));
    CHECK(!MPI_Wait(&receive, MPI_STATUS_IGNORE) && !MPI_Wait(&send, MPI_STATUS_IGNORE));
    for (int i = 0; i < kPartitions; ++i) CHECK(in[i] == last + i);
    REFUSED(MPI_ERR_REQUEST, MPI_Pready(0, send));
  }
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&receive));
}

/* Both sides end when their sizes differ, and the receiver learns of it; memory is left alone. */
static void sizes(int sent, int received, int wanted) {
  int* const out = calloc((size_t)sent, sizeof(int));
  int* const in = malloc((size_t)received * sizeof(int));
  for (int i = 0; i < received; ++i) in[i] = -5;
  MPI_Request send, receive;
  CHECK(!MPI_Psend_init(out, 2, sent / 2, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  CHECK(!MPI_Precv_init(in, 3, received / 3, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
  for (int round = 0; round < 2; ++round) {
    CHECK(!MPI_Start(&send) && !MPI_Start(&receive) && !MPI_Pready_range(0, 1, send));
    REFUSED(wanted, MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK(!MPI_Wait(&send, MPI_STATUS_IGNORE));
    for (int i = 0; i < received; ++i) CHECK(in[i] == -5);
  }
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&receive));
  free(out);
  free(in);
}

/* Errors of a request go to the handler of its communicator. */
static int codes;
static void note(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++codes;
}
static void handlers(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Request send, receive;
  int value = 0, flag;
  CHECK(!MPI_Comm_dup(MPI_COMM_SELF, &comm) && !MPI_Comm_create_errhandler(note, &handler));
  CHECK(!MPI_Comm_set_errhandler(comm, handler));
  CHECK(!MPI_Psend_init(&value, 1, 1, MPI_INT, 0, 1, comm, MPI_INFO_NULL, &send));
  CHECK(!MPI_Precv_init(&value, 1, 1, MPI_INT, 0, 1, comm, MPI_INFO_NULL, &receive));
  REFUSED(MPI_ERR_ARG, MPI_Pready(1, send));
  REFUSED(MPI_ERR_ARG, MPI_Parrived(receive, 1, &flag));
  CHECK(codes == 2);
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&receive));
  CHECK(!MPI_Errhandler_free(&handler) && !MPI_Comm_free(&comm));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  arguments();
  states();
  sizes(60, 30, MPI_ERR_TRUNCATE);
  sizes(30, 60, MPI_ERR_COUNT);
  sizes(60000, 30, MPI_ERR_TRUNCATE);
  sizes(60000, 90000, MPI_ERR_COUNT);
  handlers();
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages by the functions with large counts; persistent sends of all modes; buffers of communicators. */
#include <stdlib.h>

#include "check.h"

enum { kValues = 5000 };

static int rank, next, last;
static int out[kValues], in[kValues];

static void fill(int seed) {
  for (int i = 0; i < kValues; ++i) {
    out[i] = rank * 10000 + seed + i;
    in[i] = -1;
  }
}

static void check_in(int seed) {
  for (int i = 0; i < kValues; ++i) CHECK(in[i] == last * 10000 + seed + i);
}

static void blocking(void) {
  static int (*const sends[])(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send_c, MPI_Ssend_c,
                                                                                           MPI_Bsend_c, MPI_Rsend_c};
  for (int i = 0; i < 4; ++i) {
    MPI_Request receive;
    MPI_Status status;
    MPI_Count count;
    fill(i);
    CHECK(!MPI_Irecv_c(in, kValues, MPI_INT, last, i, MPI_COMM_WORLD, &receive));
    MPI_Barrier(MPI_COMM_WORLD); /* for the ready send */
    CHECK(!sends[i](out, kValues, MPI_INT, next, i, MPI_COMM_WORLD));
    CHECK(!MPI_Wait(&receive, &status) && !MPI_Get_count_c(&status, MPI_INT, &count) && count == kValues);
    check_in(i);
  }
  MPI_Request send;
  fill(4);
  CHECK(!MPI_Isend_c(out, kValues, MPI_INT, next, 4, MPI_COMM_WORLD, &send));
  CHECK(!MPI_Recv_c(in, kValues, MPI_INT, last, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(!MPI_Wait(&send, MPI_STATUS_IGNORE));
  check_in(4);
}

static void nonblocking(void) {
  static int (*const sends[])(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Isend_c, MPI_Issend_c, MPI_Ibsend_c, MPI_Irsend_c};
  for (int i = 0; i < 4; ++i) {
    MPI_Request requests[2];
    fill(i);
    CHECK(!MPI_Irecv_c(in, kValues, MPI_INT, last, i, MPI_COMM_WORLD, &requests[0]));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!sends[i](out, kValues, MPI_INT, next, i, MPI_COMM_WORLD, &requests[1]));
    CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    check_in(i);
  }
}

static void persistent(void) {
  static int (*const inits[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
  static int (*const large[])(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Send_init_c, MPI_Ssend_init_c, MPI_Bsend_init_c, MPI_Rsend_init_c};
  for (int i = 0; i < 8; ++i) {
    MPI_Request requests[2];
    CHECK(!MPI_Recv_init_c(in, kValues, MPI_INT, last, i, MPI_COMM_WORLD, &requests[0]));
    CHECK(!(i < 4 ? inits[i](out, kValues, MPI_INT, next, i, MPI_COMM_WORLD, &requests[1])
                  : large[i - 4](out, kValues, MPI_INT, next, i, MPI_COMM_WORLD, &requests[1])));
    for (int round = 0; round < 3; ++round) {
      fill(round);
      CHECK(!MPI_Start(&requests[0]));
      MPI_Barrier(MPI_COMM_WORLD);
      CHECK(!MPI_Start(&requests[1]) && !MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
      check_in(round);
    }
    CHECK(!MPI_Request_free(&requests[0]) && !MPI_Request_free(&requests[1]));
  }
}

static void exchanges(void) {
  MPI_Request request;
  MPI_Message message;
  fill(1);
  CHECK(!MPI_Sendrecv_c(out, kValues, MPI_INT, next, 0, in, kValues, MPI_INT, last, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
  check_in(1);
  fill(2);
  CHECK(!MPI_Isendrecv_c(out, kValues, MPI_INT, next, 0, in, kValues, MPI_INT, last, 0, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_in(2);
  CHECK(!MPI_Sendrecv_replace_c(in, kValues, MPI_INT, last, 0, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (int i = 0; i < kValues; ++i) CHECK(in[i] == out[i]);
  CHECK(!MPI_Isendrecv_replace_c(in, kValues, MPI_INT, next, 0, last, 0, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_in(2);
  for (int i = 0; i < 2; ++i) {
    MPI_Request send;
    fill(3 + i);
    CHECK(!MPI_Isend_c(out, kValues, MPI_INT, next, 0, MPI_COMM_WORLD, &send));
    CHECK(!MPI_Mprobe(last, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    if (i == 0)
      CHECK(!MPI_Mrecv_c(in, kValues, MPI_INT, &message, MPI_STATUS_IGNORE));
    else
      CHECK(!MPI_Imrecv_c(in, kValues, MPI_INT, &message, &request) && !MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(!MPI_Wait(&send, MPI_STATUS_IGNORE));
    check_in(3 + i);
  }
}

/* Each communicator has a buffer of its own, or one that grows by itself. */
static void buffers_of_communicators(void) {
  enum { kBytes = 3 * kValues * sizeof(int) };
  MPI_Comm copy;
  MPI_Request request;
  void *memory = malloc(kBytes), *detached;
  int bytes;
  MPI_Count large;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int way = 0; way < 3; ++way) {
    if (way == 0) CHECK(!MPI_Comm_attach_buffer(copy, memory, kBytes));
    if (way == 1) CHECK(!MPI_Comm_attach_buffer_c(copy, memory, kBytes));
    if (way == 2) CHECK(!MPI_Comm_attach_buffer(copy, MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 2; ++i) {
      fill(way);
      CHECK(!MPI_Bsend(out, kValues, MPI_INT, next, 0, copy));
      for (int k = 0; k < kValues; ++k) out[k] = 0;
      CHECK(!MPI_Recv(in, kValues, MPI_INT, last, 0, copy, MPI_STATUS_IGNORE));
      check_in(way);
      if (i == 0) CHECK(!MPI_Comm_flush_buffer(copy));
    }
    CHECK(!MPI_Comm_iflush_buffer(copy, &request) && !MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (way == 0) CHECK(!MPI_Comm_detach_buffer(copy, &detached, &bytes) && detached == memory && bytes == kBytes);
    if (way == 1) CHECK(!MPI_Comm_detach_buffer_c(copy, &detached, &large) && detached == memory && large == kBytes);
    if (way == 2) CHECK(!MPI_Comm_detach_buffer(copy, &detached, &bytes) && detached == MPI_BUFFER_AUTOMATIC);
  }
  MPI_Comm_free(&copy);
  free(memory);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  const MPI_Count bytes = 8 * (kValues * (MPI_Count)sizeof(int) + MPI_BSEND_OVERHEAD);
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  void *memory = malloc((size_t)bytes), *detached;
  MPI_Count attached;
  MPI_Request request;
  CHECK(!MPI_Buffer_attach_c(memory, bytes));
  blocking();
  nonblocking();
  CHECK(!MPI_Buffer_flush() && !MPI_Buffer_iflush(&request) && !MPI_Wait(&request, MPI_STATUS_IGNORE));
  persistent();
  exchanges();
  CHECK(!MPI_Buffer_detach_c(&detached, &attached) && detached == memory && attached == bytes);
  free(memory);
  buffers_of_communicators();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-local variables as buffers: their addresses mean the same in all ranks, which take turns on a thread. Small
 * and large, by their address and from MPI_BOTTOM, together with globals, in messages and in collectives. Any number of
 * ranks. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { kFew = 10, kMany = 6000 };

static __thread int out[kMany], in[kMany];
static __thread int pieces[64];
static int global_in[kMany];
static int rank, size;

static void fill(int count, int salt) {
  for (int i = 0; i < count; ++i) {
    out[i] = rank * 100003 + salt + i;
    in[i] = global_in[i] = -1;
  }
}
static int is_from(const int* data, int from, int count, int salt) {
  for (int i = 0; i < count; ++i)
    if (data[i] != from * 100003 + salt + i) return 0;
  return 1;
}

/* The address, for the caller's rank, of so many integers. */
static MPI_Datatype at_address(const void* address, int count) {
  MPI_Datatype type;
  MPI_Aint place;
  MPI_Get_address(address, &place);
  CHECK(!MPI_Type_create_hindexed(1, &count, &place, MPI_INT, &type) && !MPI_Type_commit(&type));
  return type;
}

/* Receives are posted early by some ranks and late by others. */
static void around_a_ring(int count, int from_bottom, int is_synchronous, int salt) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Datatype sent = at_address(out, count), received = at_address(in, count);
  MPI_Request requests[2];
  fill(count, salt);
  if (rank % 2) MPI_Barrier(MPI_COMM_WORLD);
  if (from_bottom)
    CHECK(!MPI_Irecv(MPI_BOTTOM, 1, received, last, salt, MPI_COMM_WORLD, &requests[0]));
  else
    CHECK(!MPI_Irecv(in, count, MPI_INT, last, salt, MPI_COMM_WORLD, &requests[0]));
  if (rank % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (is_synchronous)
    CHECK(!MPI_Issend(from_bottom ? MPI_BOTTOM : out, from_bottom ? 1 : count, from_bottom ? sent : MPI_INT, next, salt,
                      MPI_COMM_WORLD, &requests[1]));
  else
    CHECK(!MPI_Isend(from_bottom ? MPI_BOTTOM : out, from_bottom ? 1 : count, from_bottom ? sent : MPI_INT, next, salt,
                     MPI_COMM_WORLD, &requests[1]));
  CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK(is_from(in, last, count, salt) && is_from(out, rank, count, salt));
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
}

/* More comes than there is room for: the variables behind the room keep what they have. */
static void truncation(int count) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Comm comm;
  int class;
  CHECK(!MPI_Comm_dup(MPI_COMM_WORLD, &comm) && !MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  fill(count, 9);
  CHECK(!MPI_Irecv(in, 2, MPI_INT, last, 4, comm, &requests[0]));
  MPI_Barrier(comm);
  CHECK(!MPI_Isend(out, count, MPI_INT, next, 4, comm, &requests[1]));
  const int error = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(!MPI_Error_class(error, &class) && class == MPI_ERR_TRUNCATE);
  CHECK(!MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  CHECK(is_from(in, last, 2, 9));
  for (int i = 2; i < count; ++i) CHECK(in[i] == -1);
  MPI_Comm_free(&comm);
}

/* One type of a thread-local variable and of a global, wherever these are. */
static void with_globals(void) {
  const int last = (rank + size - 1) % size;
  const int lengths[2] = {kFew, kFew};
  MPI_Aint places[2];
  MPI_Datatype both;
  MPI_Request request;
  fill(2 * kFew, 77);
  MPI_Get_address(in, &places[0]);
  MPI_Get_address(global_in, &places[1]);
  CHECK(!MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &both) && !MPI_Type_commit(&both));
  CHECK(!MPI_Irecv(MPI_BOTTOM, 1, both, last, 5, MPI_COMM_WORLD, &request));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Send(out, 2 * kFew, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(is_from(in, last, kFew, 77) && is_from(global_in, last, kFew, 77 + kFew));
  MPI_Type_free(&both);
}

static void persistent(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request requests[2];
  CHECK(!MPI_Recv_init(in, kMany, MPI_INT, last, 3, MPI_COMM_WORLD, &requests[0]));
  CHECK(!MPI_Ssend_init(out, kMany, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[1]));
  for (int salt = 0; salt < 3; ++salt) {
    fill(kMany, salt);
    CHECK(!MPI_Startall(2, requests) && !MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(is_from(in, last, kMany, salt));
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void collectives(int count) {
  MPI_Request request;
  for (int root = 0; root < size; ++root) {
    fill(count, root);
    CHECK(!MPI_Ibcast(out, count, MPI_INT, root, MPI_COMM_WORLD, &request) && !MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(is_from(out, root, count, root));
    for (int i = 0; i < count; ++i) out[i] = rank + i;
    CHECK(!MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    for (int i = 0; i < count && rank == root; ++i) CHECK(in[i] == size * (size - 1) / 2 + size * i);
  }
  CHECK(!MPI_Allreduce(out, in, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK(in[i] == size - 1 + i);
  CHECK(!MPI_Scan(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK(in[i] == rank * (rank + 1) / 2 + (rank + 1) * i);
  if (size > 64) return;
  CHECK(!MPI_Allgather(&rank, 1, MPI_INT, pieces, 1, MPI_INT, MPI_COMM_WORLD));
  for (int i = 0; i < size; ++i) CHECK(pieces[i] == i);
  CHECK(!MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, pieces, 1, MPI_INT, MPI_COMM_WORLD));
  for (int i = 0; i < size; ++i) CHECK(pieces[i] == rank);
  for (int root = 0; root < size; ++root) {
    out[0] = rank + root;
    CHECK(!MPI_Gather(out, 1, MPI_INT, pieces, 1, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < size; ++i) pieces[i] = rank == root ? 2 * pieces[i] : -1;
    CHECK(!MPI_Scatter(pieces, 1, MPI_INT, in, 1, MPI_INT, root, MPI_COMM_WORLD) && in[0] == 2 * (rank + root));
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  for (int i = 0; i < 8; ++i) around_a_ring(i & 1 ? kMany : kFew, i & 2, i & 4, i);
  with_globals();
  truncation(kFew);
  truncation(kMany);
  persistent();
  collectives(kFew);
  collectives(kMany);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 receives what is there and computes, and makes no call that waits, until so many synchronous sends of rank 0
   have ended that credits for the answers had to come back. Two ranks of two processes, which share a page. */
#define _GNU_SOURCE
#include "check.h"
#include "shared_page.h"

enum { kEnough = 3000, kPrepared = 20000 };
enum { kValue, kLast }; /* tags */
enum { kRecv, kIrecv, kMrecv, kImrecv, kWays };

static void send_all(volatile int* ended) {
  static MPI_Request requests[kPrepared];
  static int values[kPrepared];
  for (int i = 0; i < kPrepared; ++i) {
    values[i] = i;
    MPI_Issend(&values[i], 1, MPI_INT, 1, kValue, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Send(values, 0, MPI_INT, 1, kLast, MPI_COMM_WORLD);
  for (int i = 0; i < kPrepared; ++i, ++*ended) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void receive_one(int* value, int how) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message;
  if (how == kRecv) MPI_Recv(value, 1, MPI_INT, 0, kValue, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (how == kIrecv) MPI_Irecv(value, 1, MPI_INT, 0, kValue, MPI_COMM_WORLD, &request);
  if (how == kMrecv || how == kImrecv) MPI_Mprobe(0, kValue, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  if (how == kMrecv) MPI_Mrecv(value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  if (how == kImrecv) MPI_Imrecv(value, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* it is complete */
}

static void receive_until_enough(const volatile int* ended, int how) {
  int value = -1, count = 0;
  MPI_Recv(&value, 0, MPI_INT, 0, kLast, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the others are there then */
  for (; *ended < kEnough && count < kPrepared; ++count) {
    receive_one(&value, how);
    CHECK(value == count);
    compute();
  }
  CHECK(*ended >= kEnough);
  for (; count < kPrepared; ++count) receive_one(&value, how);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int how = 0; how < kWays; ++how) {
    volatile int* const ended = shared_page();
    if (rank_of_world() == 0)
      send_all(ended);
    else
      receive_until_enough(ended, how);
  }
  if (rank_of_world() == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

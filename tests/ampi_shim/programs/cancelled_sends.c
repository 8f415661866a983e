/* SPDX-License-Identifier: Apache-2.0 */
/* Sends that are cancelled end without their receiver, or are received. Two ranks or more; any two are neighbours. */
#include <stdlib.h>

#include "check.h"

enum { kLarge = 200000 };

static int rank, size;
static char *data, *room;

static int was_cancelled(MPI_Request* request) {
  MPI_Status status;
  int flag;
  CHECK(!MPI_Cancel(request) && !MPI_Wait(request, &status) && *request == MPI_REQUEST_NULL);
  CHECK(!MPI_Test_cancelled(&status, &flag));
  return flag;
}

/* Nobody receives it, and nobody does anything: the wait ends nevertheless. What was not cancelled is received. */
static void without_receiver(int bytes, int is_synchronous) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request request;
  int mine, theirs;
  if (is_synchronous)
    CHECK(!MPI_Issend(data, bytes, MPI_CHAR, next, 1, MPI_COMM_WORLD, &request));
  else
    CHECK(!MPI_Isend(data, bytes, MPI_CHAR, next, 1, MPI_COMM_WORLD, &request));
  mine = was_cancelled(&request);
  if (is_synchronous) CHECK(mine);
  CHECK(!MPI_Sendrecv(&mine, 1, MPI_INT, next, 2, &theirs, 1, MPI_INT, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  if (theirs) {
    int flag;
    CHECK(!MPI_Iprobe(last, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE) && !flag);
  } else {
    CHECK(!MPI_Recv(room, bytes, MPI_CHAR, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A message that a probe has matched is received, whatever its sender wants. */
static void matched(int bytes) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  int flag, length;
  data[0] = (char)rank;
  CHECK(!MPI_Issend(data, bytes, MPI_CHAR, next, 4, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Mprobe(last, 4, MPI_COMM_WORLD, &message, &status));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Cancel(&request));
  CHECK(!MPI_Mrecv(room, kLarge, MPI_CHAR, &message, &status));
  CHECK(!MPI_Get_count(&status, MPI_CHAR, &length) && length == bytes && room[0] == (char)last);
  CHECK(!MPI_Wait(&request, &status) && !MPI_Test_cancelled(&status, &flag) && !flag);
}

/* Receives are there already for some, and others come as the sends are cancelled: none is lost, none comes twice. */
static void against_receives(void) {
  enum { kMessages = 40 };
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request sends[kMessages], receives[kMessages];
  int cancelled[kMessages], theirs[kMessages];
  for (int i = 0; i < kMessages; i += 2)
    CHECK(!MPI_Irecv(room, kLarge, MPI_CHAR, last, 100 + i, MPI_COMM_WORLD, &receives[i]));
  if (rank % 2) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kMessages; ++i)
    CHECK(!MPI_Issend(data, i % 3 ? kLarge : 8, MPI_CHAR, next, 100 + i, MPI_COMM_WORLD, &sends[i]));
  if (rank % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kMessages; ++i) cancelled[i] = was_cancelled(&sends[i]);
  CHECK(!MPI_Sendrecv(cancelled, kMessages, MPI_INT, next, 5, theirs, kMessages, MPI_INT, last, 5, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
  for (int i = 0; i < kMessages; ++i) {
    if (i % 2 == 0 && theirs[i])
      CHECK(was_cancelled(&receives[i]));
    else if (i % 2 == 0)
      CHECK(!MPI_Wait(&receives[i], MPI_STATUS_IGNORE));
    else
      CHECK(theirs[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Every second rank takes back what it sends to rank 0, which gets what the others send. */
static void of_many_senders(void) {
  enum { kMessages = 60 };
  MPI_Request sends[kMessages];
  const int keeps = rank % 2 == 0;
  for (int i = 0; i < kMessages && rank > 0; ++i)
    CHECK(!MPI_Issend(&rank, 1, MPI_INT, 0, 200 + i, MPI_COMM_WORLD, &sends[i]));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kMessages && !keeps; ++i) CHECK(was_cancelled(&sends[i]));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int from = 2; from < size && rank == 0; from += 2)
    for (int i = 0; i < kMessages; ++i) {
      int got = -1;
      CHECK(!MPI_Recv(&got, 1, MPI_INT, from, 200 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE) && got == from);
    }
  if (keeps && rank > 0) CHECK(!MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Each time that it is started it is cancelled anew. */
static void persistent(int bytes) {
  MPI_Request request;
  MPI_Status status;
  int flag;
  CHECK(!MPI_Ssend_init(data, bytes, MPI_CHAR, (rank + 1) % size, 6, MPI_COMM_WORLD, &request));
  for (int i = 0; i < 3; ++i) {
    CHECK(!MPI_Start(&request) && !MPI_Cancel(&request) && !MPI_Wait(&request, &status));
    CHECK(!MPI_Test_cancelled(&status, &flag) && flag);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Request_free(&request));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  data = calloc(kLarge, 1);
  room = calloc(kLarge, 1);
  for (int i = 0; i < 6; ++i) without_receiver(i % 3 == 0 ? 0 : i % 3 == 1 ? 100 : kLarge, i >= 3);
  matched(8);
  matched(kLarge);
  against_receives();
  of_many_senders();
  persistent(8);
  persistent(kLarge);
  if (rank == 0) puts("all is well");
  free(data);
  free(room);
  MPI_Finalize();
  return 0;
}

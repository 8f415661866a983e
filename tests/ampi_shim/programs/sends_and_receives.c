/* SPDX-License-Identifier: Apache-2.0 */
/* Order, wildcards, messages that come early and receives that come late, sizes, truncation. Any number of ranks. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size;

/* Around the limits up to which data are copied or travel with their message, and far beyond. */
static const int sizes[] = {0, 1, 7, 8, 2047, 2048, 2049, 16383, 16384, 16385, 65536, 1 << 20, 5000001};
enum { kSizes = sizeof sizes / sizeof sizes[0] };

static unsigned char byte_of(int from, int i, int place) { return (unsigned char)(from * 31 + i * 7 + place); }

static void fill(unsigned char* to, int bytes, int from, int i) {
  for (int place = 0; place < bytes; ++place) to[place] = byte_of(from, i, place);
}
static int is_filled(const unsigned char* data, int bytes, int from, int i) {
  for (int place = 0; place < bytes; ++place)
    if (data[place] != byte_of(from, i, place)) return 0;
  return 1;
}

static void all_sizes_around_a_ring(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  for (int i = 0; i < kSizes; ++i) {
    unsigned char* out = malloc((size_t)sizes[i] + 1);
    unsigned char* in = malloc((size_t)sizes[i] + 1);
    MPI_Status status;
    MPI_Request request;
    int count = -1;
    fill(out, sizes[i], rank, i);
    in[sizes[i]] = 77;
    CHECK(MPI_Irecv(in, sizes[i], MPI_BYTE, last, i, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    CHECK(MPI_Send(out, sizes[i], MPI_BYTE, next, i, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS && count == sizes[i]);
    CHECK(status.MPI_SOURCE == last && status.MPI_TAG == i);
    CHECK(is_filled(in, sizes[i], last, i) && in[sizes[i]] == 77);
    free(out);
    free(in);
  }
}

/* All are sent before the first is received, and received from the last one back. */
static void late_receives(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  unsigned char* out[kSizes];
  unsigned char* in = malloc((size_t)sizes[kSizes - 1]);
  MPI_Request requests[kSizes];
  for (int i = 0; i < kSizes; ++i) {
    out[i] = malloc((size_t)sizes[i] + 1);
    fill(out[i], sizes[i], rank, i);
    CHECK(MPI_Isend(out[i], sizes[i], MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[i]) == MPI_SUCCESS);
  }
  for (int i = kSizes - 1; i >= 0; --i) {
    CHECK(MPI_Recv(in, sizes[i], MPI_BYTE, last, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(is_filled(in, sizes[i], last, i));
  }
  CHECK(MPI_Waitall(kSizes, requests, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < kSizes; ++i) free(out[i]);
  free(in);
}

/* Small and large messages of one sender, of two tags, keep their order for a receive of any tag. */
static void order_of_one_sender(void) {
  enum { kMessages = 100, kLargest = 30000 };
  static const int lengths[] = {1, 5000, 20, kLargest};
  int* data = calloc(kLargest, sizeof(int));
  if (rank == 0) {
    for (int to = 1; to < size; ++to)
      for (int i = 0; i < kMessages; ++i) {
        data[0] = i;
        CHECK(MPI_Send(data, lengths[i % 4], MPI_INT, to, i % 2, MPI_COMM_WORLD) == MPI_SUCCESS);
      }
  } else {
    for (int i = 0; i < kMessages; ++i) {
      MPI_Status status;
      int count;
      CHECK(MPI_Recv(data, kLargest, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK(data[0] == i && status.MPI_TAG == i % 2 && count == lengths[i % 4]);
    }
  }
  free(data);
}

static void wildcards(void) {
  enum { kEach = 20 };
  if (rank != 0) {
    for (int i = 0; i < kEach; ++i) {
      const int value = rank * 1000 + i;
      CHECK(MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD) == MPI_SUCCESS);
    }
    return;
  }
  int* next = calloc((size_t)size, sizeof(int));
  for (int i = 0; i < kEach * (size - 1); ++i) {
    int value;
    MPI_Status status;
    CHECK(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
    CHECK(value == status.MPI_SOURCE * 1000 + next[status.MPI_SOURCE] && status.MPI_TAG == next[status.MPI_SOURCE]);
    ++next[status.MPI_SOURCE];
  }
  free(next);
}

/* Of two receives that take a message, the one posted first gets it, whichever has the wildcard. */
static void posting_order(void) {
  int first = -1, second = -1, values[2] = {1, 2};
  MPI_Request requests[2];
  for (int wild_first = 0; wild_first < 2; ++wild_first) {
    CHECK(MPI_Irecv(&first, 1, MPI_INT, wild_first ? MPI_ANY_SOURCE : rank, 3, MPI_COMM_WORLD, &requests[0]) == 0);
    CHECK(MPI_Irecv(&second, 1, MPI_INT, wild_first ? rank : MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]) == 0);
    CHECK(MPI_Send(&values[0], 1, MPI_INT, rank, 3, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_Send(&values[1], 1, MPI_INT, rank, 3, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(first == 1 && second == 2);
  }
}

static void truncation(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  static const int counts[] = {4, 40000};
  int* data = calloc(40000, sizeof(int));
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    MPI_Request request;
    MPI_Status status;
    int got[3] = {-1, -1, -1}, class;
    CHECK(MPI_Isend(data, counts[i], MPI_INT, to, 5, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    const int error = MPI_Recv(got, 2, MPI_INT, from, 5, MPI_COMM_WORLD, &status);
    CHECK(MPI_Error_class(error, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
    CHECK(got[0] == 0 && got[1] == 0 && got[2] == -1);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL) == MPI_SUCCESS);
  free(data);
}

/* The same where some elements have gaps between them. */
static void truncation_of_types(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const int out[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  MPI_Datatype gaps;
  CHECK(!MPI_Type_vector(2, 1, 2, MPI_INT, &gaps) && !MPI_Type_commit(&gaps));
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) {
    const int sends_gaps = i & 1, receives_gaps = !sends_gaps || i & 2, step = receives_gaps ? 2 : 1;
    MPI_Request request;
    int got[16], class;
    for (int place = 0; place < 16; ++place) got[place] = -1;
    CHECK(!MPI_Irecv(got, receives_gaps ? 1 : 2, receives_gaps ? gaps : MPI_INT, from, 7, MPI_COMM_WORLD, &request));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!MPI_Send(out, sends_gaps ? 2 : 8, sends_gaps ? gaps : MPI_INT, to, 7, MPI_COMM_WORLD));
    CHECK(!MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &class) && class == MPI_ERR_TRUNCATE);
    CHECK(got[0] == 0 && got[step] == (sends_gaps ? 2 : 1));
    for (int place = 1; place < 16; ++place) CHECK(place == step || got[place] == -1);
  }
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL) == MPI_SUCCESS);
  MPI_Type_free(&gaps);
}

/* Fewer elements than there is room for are well, a part of one is not. */
static void parts_of_elements(void) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  const char bytes[8] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int length = 0; length <= 8; ++length) {
    MPI_Request request;
    int got[3], class;
    CHECK(MPI_Isend(bytes, length, MPI_BYTE, to, 6, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    const int error = MPI_Recv(got, 3, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(MPI_Error_class(error, &class) == MPI_SUCCESS && class == (length % 4 ? MPI_ERR_TYPE : MPI_SUCCESS));
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* All send before anybody receives: also what is large waits in the memory of the program. */
static void buffered(void) {
  enum { kBytes = 100000 };
  static unsigned char sent[kBytes], got[kBytes], memory[kBytes + MPI_BSEND_OVERHEAD];
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  void* detached;
  int bytes;
  fill(sent, kBytes, rank, 1);
  CHECK(!MPI_Buffer_attach(memory, sizeof memory));
  CHECK(!MPI_Bsend(sent, kBytes, MPI_BYTE, next, 60, MPI_COMM_WORLD));
  memset(sent, 0, kBytes);
  CHECK(!MPI_Barrier(MPI_COMM_WORLD));
  CHECK(!MPI_Recv(got, kBytes, MPI_BYTE, last, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(is_filled(got, kBytes, last, 1));
  CHECK(!MPI_Buffer_detach(&detached, &bytes) && detached == memory && bytes == (int)sizeof memory);
}

static void nowhere(void) {
  int value = 5;
  MPI_Status status;
  CHECK(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  CHECK(value == 5 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  /* Where nothing goes no type is looked at. */
  CHECK(MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  all_sizes_around_a_ring();
  late_receives();
  order_of_one_sender();
  wildcards();
  MPI_Barrier(MPI_COMM_WORLD); /* Rank 0 takes whatever comes, and what follows is not meant for that. */
  posting_order();
  truncation();
  truncation_of_types();
  parts_of_elements();
  nowhere();
  buffered();
  MPI_Finalize();
  if (rank == 0) printf("all is well\n");
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and reductions in the order of streams of the emulation, whose kernels are functions. Any number of ranks.
   With the argument "threads" streams have threads of their own, and a kernel may wait for the program. */

#include "check.h"
#include "device_buffers.h"
#include "emulated_streams.h"

static int rank, size, next, last;

/* Kernels. The emulation's device memory is memory that any thread reaches. */
struct numbers {
  int* values;
  int count, first;
  int is_right;
};
static void write_numbers(void* argument) {
  const struct numbers* const to = argument;
  for (int i = 0; i < to->count; ++i) to->values[i] = to->first + i;
}
static void check_numbers(void* argument) {
  struct numbers* const from = argument;
  from->is_right = 1;
  for (int i = 0; i < from->count; ++i) from->is_right &= from->values[i] == from->first + i;
}
static void add_one(void* argument) { ++*(int*)argument; }
static void wait_for_host(void* argument) {
  while (!__atomic_load_n((int*)argument, __ATOMIC_ACQUIRE)) continue;
}

static int* memory_of(int on_device, int count) {
  int* const zeros = calloc((size_t)count, sizeof(int));
  int* const memory = on_device ? device_copy_of(zeros, (size_t)count * sizeof(int)) : zeros;
  if (on_device) free(zeros);
  return memory;
}
static void give_back(int on_device, int* memory) {
  if (on_device)
    CHECK(!MPI_Free_mem(memory));
  else
    free(memory);
}

/* Kernel, send, receive, kernel, round after round, all of it enqueued before any of it is waited for. */
static void ring(struct test_stream* s, int on_device, int count) {
  enum { kRounds = 6 };
  int* const out = memory_of(on_device, count);
  int* const in = memory_of(on_device, count);
  struct numbers written[kRounds], checked[kRounds];
  MPI_Status statuses[kRounds];
  MPI_Request request;
  for (int i = 0; i < kRounds; ++i) {
    written[i] = (struct numbers){out, count, 1000 * rank + i, 0};
    checked[i] = (struct numbers){in, count, 1000 * last + i, 0};
    CHECK(!KAON_Emulated_stream_enqueue(s->native, write_numbers, &written[i]));
    CHECK(!MPIX_Isend_enqueue(out, count, MPI_INT, next, i, s->comm, &request) && request != MPI_REQUEST_NULL);
    CHECK(!MPIX_Recv_enqueue(in, count, MPI_INT, last, MPI_ANY_TAG, s->comm, &statuses[i]));
    CHECK(!MPIX_Wait_enqueue(&request, MPI_STATUS_IGNORE) && request == MPI_REQUEST_NULL);
    CHECK(!KAON_Emulated_stream_enqueue(s->native, check_numbers, &checked[i]));
  }
  CHECK(!KAON_Stream_synchronize(s->stream));
  for (int i = 0; i < kRounds; ++i) {
    int got;
    CHECK(checked[i].is_right);
    CHECK(!MPI_Get_count(&statuses[i], MPI_INT, &got) && got == count);
    CHECK(statuses[i].MPI_SOURCE == last && statuses[i].MPI_TAG == i && statuses[i].MPI_ERROR == MPI_SUCCESS);
  }
  give_back(on_device, out);
  give_back(on_device, in);
}

/* A number that goes around by streams alone; each kernel adds one to it. */
static void token(struct test_stream* s) {
  enum { kRounds = 20 };
  int* const value = memory_of(1, 1);
  for (int round = 0; round < kRounds; ++round) {
    if (rank > 0) CHECK(!MPIX_Recv_enqueue(value, 1, MPI_INT, last, 1, s->comm, MPI_STATUS_IGNORE));
    CHECK(!KAON_Emulated_stream_enqueue(s->native, add_one, value));
    if (size > 1) CHECK(!MPIX_Send_enqueue(value, 1, MPI_INT, next, 1, s->comm));
    if (rank == 0 && size > 1) CHECK(!MPIX_Recv_enqueue(value, 1, MPI_INT, last, 1, s->comm, MPI_STATUS_IGNORE));
  }
  MPI_Barrier(MPI_COMM_WORLD); /* the number goes on while the program is in other calls */
  CHECK(!KAON_Stream_synchronize(s->stream));
  const int wanted = size * kRounds;
  if (rank == 0) CHECK(device_holds(value, &wanted, sizeof wanted));
  CHECK(!MPI_Free_mem(value));
}

/* Many at once, completed by the stream and by the host, and mixed with calls that are not enqueued. */
static void many(struct test_stream* s) {
  enum { kMessages = 30, kCount = 500 };
  static int out[kMessages][kCount], in[kMessages][kCount];
  MPI_Request requests[2 * kMessages];
  MPI_Status statuses[2 * kMessages];
  struct numbers written[kMessages], checked[kMessages];
  for (int i = 0; i < kMessages; ++i) {
    written[i] = (struct numbers){out[i], kCount, rank + i, 0};
    CHECK(!KAON_Emulated_stream_enqueue(s->native, write_numbers, &written[i]));
    CHECK(!MPIX_Irecv_enqueue(in[i], kCount, MPI_INT, last, i, s->comm, &requests[i]));
    CHECK(!MPIX_Isend_enqueue(out[i], kCount, MPI_INT, next, i, s->comm, &requests[kMessages + i]));
  }
  MPI_Request null = MPI_REQUEST_NULL;
  CHECK(!MPIX_Wait_enqueue(&null, MPI_STATUS_IGNORE) && !MPIX_Waitall_enqueue(1, &null, MPI_STATUSES_IGNORE));
  CHECK(!MPI_Wait(&requests[3], &statuses[3]) && requests[3] == MPI_REQUEST_NULL && statuses[3].MPI_TAG == 3);
  CHECK(!MPIX_Waitall_enqueue(2 * kMessages, requests, statuses));
  for (int i = 0; i < 2 * kMessages; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  for (int i = 0; i < kMessages; ++i) {
    checked[i] = (struct numbers){in[i], kCount, last + i, 0};
    CHECK(!KAON_Emulated_stream_enqueue(s->native, check_numbers, &checked[i]));
  }
  CHECK(!KAON_Stream_synchronize(s->stream));
  for (int i = 0; i < kMessages; ++i) {
    CHECK(checked[i].is_right);
    CHECK(i == 3 || (statuses[i].MPI_SOURCE == last && statuses[i].MPI_TAG == i));
  }
  int value = rank, got = -1;
  CHECK(!MPIX_Isend_enqueue(&value, 1, MPI_INT, next, 77, s->comm, &requests[0]));
  CHECK(!MPI_Recv(&got, 1, MPI_INT, last, 77, s->comm, MPI_STATUS_IGNORE) && got == last);
  CHECK(!MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK(!MPIX_Send_enqueue(&value, 1, MPI_INT, MPI_PROC_NULL, 1, s->comm));
  CHECK(!MPIX_Recv_enqueue(&value, 1, MPI_INT, MPI_PROC_NULL, 1, s->comm, &statuses[0]));
  CHECK(!KAON_Stream_synchronize(s->stream) && statuses[0].MPI_SOURCE == MPI_PROC_NULL && value == rank);
}

/* The calls return while the kernel before them waits for the program. */
static void returns_at_once(struct test_stream* s) {
  int may_go_on = 0, value = -1, is_complete;
  MPI_Request request;
  struct numbers written = {&value, 1, rank, 0};
  CHECK(!KAON_Emulated_stream_enqueue(s->native, wait_for_host, &may_go_on));
  CHECK(!KAON_Emulated_stream_enqueue(s->native, write_numbers, &written));
  CHECK(!MPIX_Isend_enqueue(&value, 1, MPI_INT, rank, 5, s->comm, &request));
  CHECK(!MPI_Request_get_status(request, &is_complete, MPI_STATUS_IGNORE) && !is_complete);
  CHECK(!MPI_Iprobe(rank, 5, s->comm, &is_complete, MPI_STATUS_IGNORE) && !is_complete);
  __atomic_store_n(&may_go_on, 1, __ATOMIC_RELEASE);
  int got = -1;
  CHECK(!MPI_Recv(&got, 1, MPI_INT, rank, 5, s->comm, MPI_STATUS_IGNORE) && got == rank);
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Against the same reduction between buffers of the host. */
static void reduction(struct test_stream* s, MPI_Datatype type, MPI_Op op, int count, int in_place) {
  int bytes;
  CHECK(!MPI_Type_size(type, &bytes));
  const size_t all = (size_t)bytes * (size_t)count;
  char* const own = malloc(all + 1);
  char* const wanted = malloc(all + 1);
  for (int i = 0; i < count; ++i) {
    const int value = 1 + (rank * 7 + i * 3) % 5; /* real ones are such that no sum and product is rounded */
    if (type == MPI_DOUBLE) {
      const double real = 0.125 * (1 << value);
      memcpy(own + (size_t)i * 8, &real, 8);
    } else if (type == MPI_FLOAT) {
      const float real = 0.25f * (float)(1 << value);
      memcpy(own + (size_t)i * 4, &real, 4);
    } else {
      const long long whole = value;
      memcpy(own + i * bytes, &whole, (size_t)bytes);
    }
  }
  CHECK(!MPI_Allreduce(own, wanted, count, type, op, MPI_COMM_WORLD));
  void* const from = device_copy_of(own, all + 1);
  void* const to = device_copy_of(own, all + 1);
  for (int i = 0; i < 2; ++i) {
    if (in_place) copy_bytes(to, own, all);
    CHECK(!MPIX_Allreduce_enqueue(in_place ? MPI_IN_PLACE : from, to, count, type, op, s->comm));
    CHECK(!KAON_Stream_synchronize(s->stream));
    CHECK(device_holds(to, wanted, all));
  }
  CHECK(!MPI_Free_mem(from) && !MPI_Free_mem(to));
  free(own);
  free(wanted);
}
static void reductions(struct test_stream* s) {
  const MPI_Datatype types[] = {MPI_INT8_T,   MPI_SHORT,    MPI_INT,      MPI_LONG_LONG, MPI_UNSIGNED_CHAR,
                                MPI_UINT16_T, MPI_UNSIGNED, MPI_UINT64_T, MPI_FLOAT,     MPI_DOUBLE};
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
  for (int type = 0; type < 10; ++type)
    for (int op = 0; op < (type < 8 ? 10 : 4); ++op) reduction(s, types[type], ops[op], 3 + 5 * op, (type + op) % 2);
  reduction(s, MPI_INT, MPI_SUM, 0, 0);
  reduction(s, MPI_INT, MPI_SUM, 1, 1);
  reduction(s, MPI_INT, MPI_MAX, 30001, 0);
  reduction(s, MPI_INT, MPI_SUM, 30001, 1);
}

/* Two streams of a rank side by side, and a communicator of ranks some of which have none. */
static void several(void) {
  struct test_stream one = open_stream(MPI_COMM_WORLD), other = open_stream(MPI_COMM_WORLD);
  MPIX_Stream found;
  MPI_Comm mixed;
  int value = -1, none = -1;
  MPI_Request request;
  CHECK(!MPIX_Comm_get_stream(other.comm, 0, &found) && found == other.stream);
  CHECK(!MPIX_Comm_get_stream(MPI_COMM_WORLD, 0, &found) && found == MPIX_STREAM_NULL);
  CHECK(!MPIX_Recv_enqueue(&value, 1, MPI_INT, last, 1, one.comm, MPI_STATUS_IGNORE)); /* holds this stream */
  CHECK(!MPIX_Isend_enqueue(&rank, 1, MPI_INT, next, 1, other.comm, &request));
  CHECK(!MPIX_Recv_enqueue(&none, 1, MPI_INT, last, 1, other.comm, MPI_STATUS_IGNORE));
  CHECK(!MPIX_Wait_enqueue(&request, MPI_STATUS_IGNORE) && !KAON_Stream_synchronize(other.stream));
  CHECK(none == last && value == -1);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 1, one.comm) && !KAON_Stream_synchronize(one.stream) && value == last);
  CHECK(!MPIX_Stream_comm_create(MPI_COMM_WORLD, rank % 2 ? MPIX_STREAM_NULL : one.stream, &mixed));
  CHECK(!MPIX_Comm_get_stream(mixed, 0, &found) && found == (rank % 2 ? MPIX_STREAM_NULL : one.stream));
  CHECK(!MPI_Barrier(mixed) && !MPI_Comm_free(&mixed));
  close_stream(&one);
  close_stream(&other);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  struct test_stream s = open_stream(MPI_COMM_WORLD);
  for (int on_device = 0; on_device < 2; ++on_device)
    for (int count = 1; count < 100000; count *= 40) ring(&s, on_device, count);
  token(&s);
  many(&s);
  if (argc > 1) returns_at_once(&s);
  reductions(&s);
  close_stream(&s);
  several();
  /* What is enqueued and not waited for happens before the end. */
  struct test_stream rest = open_stream(MPI_COMM_WORLD);
  static int out, in;
  out = rank;
  MPI_Request request;
  CHECK(!MPIX_Isend_enqueue(&out, 1, MPI_INT, next, 1, rest.comm, &request) && !MPI_Request_free(&request));
  CHECK(!MPIX_Recv_enqueue(&in, 1, MPI_INT, last, 1, rest.comm, MPI_STATUS_IGNORE));
  MPI_Finalize();
  if (in != last) return 1;
  if (rank == 0) puts("all is well");
  return 0;
}

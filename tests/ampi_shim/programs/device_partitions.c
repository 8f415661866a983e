/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions that kernels ready and wait for, of which the emulation runs functions. Any number of ranks. With the
   argument "threads" streams have threads of their own, and a kernel may wait in a loop; with "unknown" a kernel names
   a partition that its request has not, which ends the run. */
#include <kaon_mpi/device.h>

#include "check.h"
#include "device_buffers.h"
#include "emulated_streams.h"

enum { kPartitions = 6, kCount = 300 };

static int rank, size, next, last, has_threads;

struct kernel {
  KAON_Prequest prequest;
  int* values; /* device memory, which the emulation's threads reach */
  int first, partition, is_right;
};

static void fill_and_ready(void* argument) {
  const struct kernel* const k = argument;
  int* const values = k->values + k->partition * kCount;
  for (int i = 0; i < kCount; ++i) values[i] = k->first + k->partition * kCount + i;
  KAON_Device_pready(k->prequest, k->partition);
}
static void await_and_check(void* argument) {
  struct kernel* const k = argument;
  while (has_threads && !KAON_Device_parrived(k->prequest, k->partition)) continue;
  const int* const values = k->values + k->partition * kCount;
  k->is_right = KAON_Device_parrived(k->prequest, k->partition);
  for (int i = 0; i < kCount; ++i) k->is_right &= values[i] == k->first + k->partition * kCount + i;
}

/* Kernels fill partitions and ready them; kernels of another stream wait for those that come. */
static void rounds(struct test_stream* produces, struct test_stream* consumes, int to_device) {
  int* const out = allocate_on_device(kPartitions * kCount * sizeof(int));
  int* const in =
      to_device ? allocate_on_device(kPartitions * kCount * sizeof(int)) : malloc(kPartitions * kCount * sizeof(int));
  MPI_Request send, receive;
  KAON_Prequest sent, received;
  CHECK(!MPI_Psend_init(out, kPartitions, kCount, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  CHECK(!MPI_Precv_init(in, kPartitions / 2, 2 * kCount, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
  CHECK(!KAON_Prequest_create(send, &sent) && sent.partitions == kPartitions);
  CHECK(!KAON_Prequest_create(receive, &received) && received.partitions == kPartitions / 2);
  for (int round = 0; round < 4; ++round) {
    struct kernel fills[kPartitions], checks[kPartitions];
    CHECK(!MPI_Start(&receive) && !MPI_Start(&send));
    CHECK(!KAON_Device_parrived(received, 0));
    for (int i = kPartitions; i-- > 0;) {
      fills[i] = (struct kernel){sent, out, rank * 10000 + round, i, 0};
      if (i == 2) continue;
      CHECK(!KAON_Emulated_stream_enqueue(produces->native, fill_and_ready, &fills[i]));
    }
    for (int i = 0; i < kPartitions / 2 && has_threads; ++i) {
      checks[i] = (struct kernel){received, in, last * 10000 + round, i, 0};
      CHECK(!KAON_Emulated_stream_enqueue(consumes->native, await_and_check, &checks[i]));
    }
    /* Others arrive while the host has not filled the one that it readies itself. */
    while (!KAON_Device_parrived(received, 2))
      CHECK(!MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &fills[2].is_right, MPI_STATUS_IGNORE));
    CHECK(!KAON_Device_parrived(received, 1));
    MPI_Barrier(MPI_COMM_WORLD);
    int* const rest = malloc(kCount * sizeof(int));
    for (int i = 0; i < kCount; ++i) rest[i] = rank * 10000 + round + 2 * kCount + i;
    copy_bytes(out + 2 * kCount, rest, kCount * sizeof(int));
    free(rest);
    CHECK(!MPI_Pready(2, send));
    CHECK(!MPI_Wait(&receive, MPI_STATUS_IGNORE) && !MPI_Wait(&send, MPI_STATUS_IGNORE));
    while (!KAON_Device_parrived(received, 1))
      CHECK(!MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &fills[2].is_right, MPI_STATUS_IGNORE));
    CHECK(!KAON_Stream_synchronize(produces->stream) && !KAON_Stream_synchronize(consumes->stream));
    for (int i = 0; i < kPartitions / 2 && has_threads; ++i) CHECK(checks[i].is_right);
    int* const wanted = malloc(kPartitions * kCount * sizeof(int));
    for (int i = 0; i < kPartitions * kCount; ++i) wanted[i] = last * 10000 + round + i;
    CHECK(device_holds(in, wanted, kPartitions * kCount * sizeof(int)));
    free(wanted);
  }
  CHECK(!KAON_Prequest_free(&sent) && !KAON_Prequest_free(&received) && sent.words == NULL);
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&receive));
  CHECK(!MPI_Free_mem(out));
  if (to_device)
    CHECK(!MPI_Free_mem(in));
  else
    free(in);
}

#define REFUSED(class, call) CHECK((call) == (class)) /* the code of an error is its class here */
static void misuse(void) {
  int value = 0;
  MPI_Request send, other;
  KAON_Prequest handle, again, garbage = {(uint32_t*)&value, 1};
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  CHECK(!MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &other));
  REFUSED(MPI_ERR_REQUEST, KAON_Prequest_create(other, &handle));
  REFUSED(MPI_ERR_REQUEST, KAON_Prequest_create(MPI_REQUEST_NULL, &handle));
  CHECK(!MPI_Psend_init(&value, 2, 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  REFUSED(MPI_ERR_ARG, KAON_Prequest_create(send, NULL));
  CHECK(!MPI_Start(&send));
  REFUSED(MPI_ERR_REQUEST, KAON_Prequest_create(send, &handle));
  CHECK(!MPI_Pready_range(0, 1, send) && !MPI_Wait(&send, MPI_STATUS_IGNORE));
  CHECK(!KAON_Prequest_create(send, &handle));
  REFUSED(MPI_ERR_REQUEST, KAON_Prequest_create(send, &again));
  REFUSED(MPI_ERR_REQUEST, MPI_Request_free(&send));
  REFUSED(MPI_ERR_ARG, KAON_Prequest_free(&garbage));
  KAON_Device_pready(handle, 0); /* before its start, which it is not for */
  CHECK(!MPI_Start(&send));
  REFUSED(MPI_ERR_REQUEST, KAON_Prequest_free(&handle));
  int is_complete = 1;
  CHECK(!MPI_Pready(1, send) && !MPI_Test(&send, &is_complete, MPI_STATUS_IGNORE) && !is_complete);
  KAON_Device_pready(handle, 0);
  CHECK(!MPI_Wait(&send, MPI_STATUS_IGNORE) && !KAON_Prequest_free(&handle));
  REFUSED(MPI_ERR_ARG, KAON_Prequest_free(&handle));
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&other));
}

static void unknown_partition(void) {
  char value = 0;
  MPI_Request send;
  KAON_Prequest handle;
  CHECK(!MPI_Psend_init(&value, 1, 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  CHECK(!KAON_Prequest_create(send, &handle) && !MPI_Start(&send));
  KAON_Device_pready(handle, 4);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  has_threads = argc > 1;
  if (argc > 1 && strcmp(argv[1], "unknown") == 0) unknown_partition();
  struct test_stream produces = open_stream(MPI_COMM_WORLD), consumes = open_stream(MPI_COMM_WORLD);
  rounds(&produces, &consumes, 1);
  rounds(&produces, &consumes, 0);
  close_stream(&produces);
  close_stream(&consumes);
  misuse();
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Partitioned sends and receives around a ring: sizes, numbers of partitions that differ, types, order, early
   partitions. Any number of ranks. With the argument "device" buffers are in the memory of a device. */
#include "check.h"
#include "device_buffers.h"

static int rank, size, next, last, is_on_device;

/* Buffers hold numbers from `first` on; they are filled and read by messages of a rank to itself. */
static int* buffer_of(int count, int first, int step) {
  int* const here = malloc((size_t)count * sizeof(int) + 1);
  for (int i = 0; i < count; ++i) here[i] = first + i * step;
  if (!is_on_device) return here;
  int* const device = device_copy_of(here, (size_t)count * sizeof(int) + 1);
  free(here);
  return device;
}
static void write_buffer(int* buffer, int count, int first, int step) {
  int* const here = malloc((size_t)count * sizeof(int) + 1);
  for (int i = 0; i < count; ++i) here[i] = first + i * step;
  copy_bytes(buffer, here, (size_t)count * sizeof(int));
  free(here);
}
static int holds(const int* buffer, int count, int first, int step) {
  int* const wanted = malloc((size_t)count * sizeof(int) + 1);
  for (int i = 0; i < count; ++i) wanted[i] = first + i * step;
  const int is_equal = device_holds(buffer, wanted, (size_t)count * sizeof(int));
  free(wanted);
  return is_equal;
}
static void free_buffer(int* buffer) {
  if (is_on_device)
    CHECK(!MPI_Free_mem(buffer));
  else
    free(buffer);
}

static int arrived(MPI_Request request, int partition) {
  int flag = -1;
  CHECK(!MPI_Parrived(request, partition, &flag) && (flag == 0 || flag == 1));
  return flag;
}
static void make_ready(MPI_Request send, int partitions, int way) {
  int* const list = malloc((size_t)partitions * sizeof(int) + 1);
  for (int i = 0; i < partitions; ++i) list[i] = partitions - 1 - i;
  if (way == 0)
    for (int i = 0; i < partitions; ++i) CHECK(!MPI_Pready((i + partitions / 2) % partitions, send));
  else if (way == 1)
    CHECK(!MPI_Pready_list(partitions, list, send));
  else if (partitions > 0)
    CHECK(!MPI_Pready_range(0, partitions - 1, send));
  free(list);
}

/* Several rounds of one pair. The sender starts before its receiver, or behind. */
static void rounds(int sent, int received, int elements, int rank_is_late) {
  enum { kTag = 3 };
  const int total = sent * received * elements;
  int* const out = buffer_of(total, 0, 0);
  int* const in = buffer_of(total, -1, 0);
  MPI_Request send, receive;
  MPI_Status status;
  int count;
  CHECK(!MPI_Precv_init(in, received, sent * elements, MPI_INT, last, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &receive));
  CHECK(!MPI_Psend_init(out, sent, received * elements, MPI_INT, next, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
  for (int round = 0; round < 5; ++round) {
    write_buffer(out, total, rank * 1000 + round, 1);
    if (rank_is_late && (rank + round) % 2) MPI_Barrier(MPI_COMM_WORLD);
    if (!rank_is_late) CHECK(!MPI_Start(&receive));
    CHECK(!MPI_Start(&send));
    make_ready(send, sent, round % 3);
    if (rank_is_late && (rank + round) % 2 == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (rank_is_late) CHECK(!MPI_Start(&receive));
    for (int i = received; i-- > 0;)
      while (!arrived(receive, i)) continue;
    CHECK(!MPI_Wait(&receive, &status) && receive != MPI_REQUEST_NULL);
    CHECK(status.MPI_SOURCE == last && status.MPI_TAG == kTag);
    CHECK(!MPI_Get_count(&status, MPI_INT, &count) && count == total);
    CHECK(holds(in, total, last * 1000 + round, 1));
    CHECK(!MPI_Wait(&send, MPI_STATUS_IGNORE) && send != MPI_REQUEST_NULL);
  }
  CHECK(arrived(receive, 0));
  CHECK(!MPI_Request_free(&send) && !MPI_Request_free(&receive) && send == MPI_REQUEST_NULL);
  free_buffer(out);
  free_buffer(in);
}

/* A partition is seen to have arrived before its sender, which waits for word of that, has the next one ready. */
static void early(int elements) {
  enum { kPartitions = 7 };
  int* const out = buffer_of(kPartitions * elements, rank, 3);
  int* const in = buffer_of(kPartitions * elements, -1, 0);
  MPI_Request requests[2];
  CHECK(!MPI_Psend_init(out, kPartitions, elements, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK(!MPI_Precv_init(in, kPartitions, elements, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK(!MPI_Startall(2, requests));
  for (int i = kPartitions; i-- > 0;) {
    int is_complete;
    CHECK(!arrived(requests[1], i));
    CHECK(!MPI_Request_get_status(requests[1], &is_complete, MPI_STATUS_IGNORE) && !is_complete);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!MPI_Pready(i, requests[0]));
    while (!arrived(requests[1], i)) continue;
    CHECK(holds(in + i * elements, elements, last + 3 * i * elements, 3));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK(holds(in, kPartitions * elements, last, 3));
  for (int i = 0; i < 2; ++i) CHECK(!MPI_Request_free(&requests[i]));
  free_buffer(out);
  free_buffer(in);
}

/* Elements with gaps on one side or both, also where the sender's partitions cut those of the receiver. */
static void types(void) {
  enum { kInts = 24, kWidth = 3 * kInts };
  MPI_Datatype pair, triple, kinds[3];
  CHECK(!MPI_Type_vector(2, 1, 2, MPI_INT, &pair) && !MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &kinds[1]));
  CHECK(!MPI_Type_vector(3, 1, 2, MPI_INT, &triple) && !MPI_Type_create_resized(triple, 0, 9 * sizeof(int), &kinds[2]));
  kinds[0] = MPI_INT;
  const int ints[] = {1, 2, 3};
  for (int i = 1; i < 3; ++i) CHECK(!MPI_Type_commit(&kinds[i]));
  for (int from = 0; from < 3; ++from)
    for (int to = 0; to < 3; ++to)
      for (int partitions = 1; partitions <= 8; partitions *= 2) {
        if (kInts % (partitions * ints[from]) != 0) continue;
        const int to_partitions = 4;
        int* const out = buffer_of(kWidth, rank, 1);
        int* const in = buffer_of(kWidth, -1, 0);
        int* const plain = malloc(kWidth * sizeof(int));
        int* const wanted = malloc(kWidth * sizeof(int));
        for (int i = 0; i < kWidth; ++i) wanted[i] = -1;
        int* const theirs = malloc(kWidth * sizeof(int));
        for (int i = 0; i < kWidth; ++i) theirs[i] = last + i;
        CHECK(!MPI_Sendrecv(theirs, kInts / ints[from], kinds[from], 0, 5, wanted, kInts / ints[to], kinds[to], 0, 5,
                            MPI_COMM_SELF, MPI_STATUS_IGNORE));
        MPI_Request requests[2];
        CHECK(!MPI_Psend_init(out, partitions, kInts / ints[from] / partitions, kinds[from], next, 2, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &requests[0]));
        CHECK(!MPI_Precv_init(in, to_partitions, kInts / ints[to] / to_partitions, kinds[to], last, 2, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &requests[1]));
        for (int round = 0; round < 2; ++round) {
          CHECK(!MPI_Startall(2, requests));
          make_ready(requests[0], partitions, round);
          CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
          CHECK(device_holds(in, wanted, kWidth * sizeof(int)));
          write_buffer(in, kWidth, -1, 0);
        }
        for (int i = 0; i < 2; ++i) CHECK(!MPI_Request_free(&requests[i]));
        free(plain), free(wanted), free(theirs);
        free_buffer(out);
        free_buffer(in);
      }
  CHECK(!MPI_Type_free(&pair) && !MPI_Type_free(&triple) && !MPI_Type_free(&kinds[1]) && !MPI_Type_free(&kinds[2]));
}

/* Pairs of one tag match in the order of their inits, whatever is started first, and no other message comes between. */
static void order(void) {
  enum { kPairs = 5, kTag = 8 };
  int out[kPairs], in[kPairs], plain = -1;
  MPI_Request sends[kPairs], receives[kPairs], other;
  MPI_Status status;
  for (int i = 0; i < kPairs; ++i) {
    out[i] = rank * 100 + i;
    in[i] = -1;
    CHECK(!MPI_Psend_init(&out[i], 1, 1, MPI_INT, next, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]));
  }
  for (int i = kPairs; i-- > 0;) CHECK(!MPI_Start(&sends[i]) && !MPI_Pready(0, sends[i]));
  CHECK(!MPI_Isend(&rank, 1, MPI_INT, next, kTag, MPI_COMM_WORLD, &other));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) && status.MPI_SOURCE == last);
  for (int i = 0; i < kPairs; ++i)
    CHECK(!MPI_Precv_init(&in[i], 1, 1, MPI_INT, last, kTag, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]));
  CHECK(!MPI_Recv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) && plain == last);
  CHECK(!MPI_Startall(kPairs, receives) && !MPI_Waitall(kPairs, receives, MPI_STATUSES_IGNORE));
  CHECK(!MPI_Waitall(kPairs, sends, MPI_STATUSES_IGNORE) && !MPI_Wait(&other, MPI_STATUS_IGNORE));
  for (int i = 0; i < kPairs; ++i) CHECK(in[i] == last * 100 + i);
  for (int i = 0; i < kPairs; ++i) CHECK(!MPI_Request_free(&sends[i]) && !MPI_Request_free(&receives[i]));
}

/* A receive that was freed before its send was made keeps its place in the order. */
static void freed_receive(void) {
  int out[2] = {rank, rank + 1000}, in[2] = {-1, -1};
  MPI_Request sends[2], receives[2];
  for (int i = 0; i < 2; ++i)
    CHECK(!MPI_Precv_init(&in[i], 1, 1, MPI_INT, last, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]));
  CHECK(!MPI_Request_free(&receives[0]));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i)
    CHECK(!MPI_Psend_init(&out[i], 1, 1, MPI_INT, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]));
  CHECK(!MPI_Request_free(&sends[0]));
  CHECK(!MPI_Start(&receives[1]) && !MPI_Start(&sends[1]) && !MPI_Pready(0, sends[1]));
  CHECK(!MPI_Wait(&receives[1], MPI_STATUS_IGNORE) && !MPI_Wait(&sends[1], MPI_STATUS_IGNORE));
  CHECK(in[0] == -1 && in[1] == last + 1000);
  CHECK(!MPI_Request_free(&sends[1]) && !MPI_Request_free(&receives[1]));
}

/* No partitions, partitions of nothing, and nobody to send to. */
static void nothing(void) {
  MPI_Request requests[2];
  MPI_Status status;
  int value = rank, count;
  const int partitions[][2] = {{0, 0}, {0, 3}, {4, 0}, {4, 2}};
  for (int i = 0; i < 4; ++i) {
    CHECK(!MPI_Psend_init(&value, partitions[i][0], 0, MPI_INT, next, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    CHECK(!MPI_Precv_init(&value, partitions[i][1], 0, MPI_INT, last, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    CHECK(!MPI_Startall(2, requests));
    make_ready(requests[0], partitions[i][0], i % 3);
    CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int k = 0; k < 2; ++k) CHECK(!MPI_Request_free(&requests[k]));
  }
  CHECK(!MPI_Psend_init(&value, 2, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK(!MPI_Precv_init(&value, 2, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK(!MPI_Startall(2, requests) && arrived(requests[1], 1));
  CHECK(!MPI_Test(&requests[0], &count, MPI_STATUS_IGNORE) && !count);
  CHECK(!MPI_Pready_range(0, 1, requests[0]) && !MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK(!MPI_Wait(&requests[1], &status) && status.MPI_SOURCE == MPI_PROC_NULL && value == rank);
  CHECK(!MPI_Get_count(&status, MPI_INT, &count) && count == 0);
  for (int k = 0; k < 2; ++k) CHECK(!MPI_Request_free(&requests[k]));
  CHECK(arrived(MPI_REQUEST_NULL, 17));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  is_on_device = argc > 1;
  rank = rank_of_world();
  size = size_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  const int partitions[][2] = {{1, 1}, {1, 5}, {6, 4}, {5, 1}, {3, 30}};
  for (int i = 0; i < 5; ++i)
    for (int elements = 1; elements < 10000; elements *= 90)
      for (int is_late = 0; is_late < 2; ++is_late) rounds(partitions[i][0], partitions[i][1], elements, is_late);
  early(1);
  early(50000);
  types();
  order();
  freed_receive();
  nothing();
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}

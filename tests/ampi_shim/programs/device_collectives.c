/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives whose buffers are in the memory of devices, in all forms, against the same collectives between buffers of
   the host. Any number of ranks; the kinds of memory differ between the ranks. */
#include "check.h"
#include "device_buffers.h"

static int rank, size;

/* For each collective: the buffers of this rank, on the host and wherever the test has them. */
struct Buffers {
  const void* out;
  void* in;
};

enum { kMostRanks = 64 };
static int count; /* of elements for each pair of ranks */
static int counts[kMostRanks], places[kMostRanks];
static MPI_Datatype columns; /* 10 ints of 20 */

enum Collective {
  kBcast,
  kGather,
  kScatter,
  kAllgather,
  kAllgatherInPlace,
  kAlltoall,
  kAlltoallInPlace,
  kGatherv,
  kScatterv,
  kAllgatherv,
  kAlltoallv,
  kBcastOfColumns,
  kReduce,
  kReduceInPlace,
  kAllreduce,
  kAllreduceInPlace,
  kReduceScatter,
  kReduceScatterBlock,
  kReduceScatterInPlace,
  kScan,
  kExscan,
  kCollectives
};

static int root(void) { return size / 2; }

/* An operation of the program, which does not commute. */
static void mix(void* from, void* into, int* length, MPI_Datatype* type) {
  const int* left = from;
  int* right = into;
  (void)type;
  for (int i = 0; i < *length; ++i) right[i] = (int)((unsigned)left[i] * 31u + (unsigned)right[i]);
}
static MPI_Op mixing;

static int run(enum Collective what, struct Buffers at, MPI_Op op) {
  const int is_root = rank == root();
  const MPI_Comm comm = MPI_COMM_WORLD;
  switch (what) {
    case kBcast:
      return MPI_Bcast(at.in, count * size, MPI_INT, root(), comm);
    case kGather:
      return MPI_Gather(at.out, count, MPI_INT, at.in, count, MPI_INT, root(), comm);
    case kScatter:
      return MPI_Scatter(at.out, count, MPI_INT, at.in, count, MPI_INT, root(), comm);
    case kAllgather:
      return MPI_Allgather(at.out, count, MPI_INT, at.in, count, MPI_INT, comm);
    case kAllgatherInPlace:
      return MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, at.in, count, MPI_INT, comm);
    case kAlltoall:
      return MPI_Alltoall(at.out, count, MPI_INT, at.in, count, MPI_INT, comm);
    case kAlltoallInPlace:
      return MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, at.in, count, MPI_INT, comm);
    case kGatherv:
      return MPI_Gatherv(at.out, counts[rank], MPI_INT, at.in, counts, places, MPI_INT, root(), comm);
    case kScatterv:
      return MPI_Scatterv(at.out, counts, places, MPI_INT, at.in, counts[rank], MPI_INT, root(), comm);
    case kAllgatherv:
      return MPI_Allgatherv(at.out, counts[rank], MPI_INT, at.in, counts, places, MPI_INT, comm);
    case kAlltoallv: {
      int own[kMostRanks], starts[kMostRanks];
      for (int i = 0; i < size; ++i) own[i] = counts[rank], starts[i] = i * count;
      return MPI_Alltoallv(at.out, counts, places, MPI_INT, at.in, own, starts, MPI_INT, comm);
    }
    case kBcastOfColumns:
      return MPI_Bcast(at.in, count * size / 20, columns, root(), comm);
    case kReduce:
      return MPI_Reduce(at.out, at.in, count, MPI_INT, op, root(), comm);
    case kReduceInPlace:
      return MPI_Reduce(is_root ? MPI_IN_PLACE : at.in, is_root ? at.in : NULL, count, MPI_INT, op, root(), comm);
    case kAllreduce:
      return MPI_Allreduce(at.out, at.in, count, MPI_INT, op, comm);
    case kAllreduceInPlace:
      return MPI_Allreduce(MPI_IN_PLACE, at.in, count, MPI_INT, op, comm);
    case kReduceScatter:
      return MPI_Reduce_scatter(at.out, at.in, counts, MPI_INT, op, comm);
    case kReduceScatterBlock:
      return MPI_Reduce_scatter_block(at.out, at.in, count, MPI_INT, op, comm);
    case kReduceScatterInPlace:
      return MPI_Reduce_scatter(MPI_IN_PLACE, at.in, counts, MPI_INT, op, comm);
    case kScan:
      return MPI_Scan(at.out, at.in, count, MPI_INT, op, comm);
    default:
      return MPI_Exscan(at.out, at.in, count, MPI_INT, op, comm);
  }
}

/* Which bits of `kinds` are for the two buffers of this rank: so that ranks differ where they are asked to. */
static int on_device(int kinds, int bit) { return (kinds >> (2 * (rank % 2) + bit)) & 1; }

static void* memory_of(int is_on_device, const void* from, size_t bytes) {
  if (is_on_device) return device_copy_of(from, bytes);
  void* const memory = malloc(bytes);
  memcpy(memory, from, bytes);
  return memory;
}
static void give_back(int is_on_device, void* memory) {
  if (is_on_device)
    CHECK(MPI_Free_mem(memory) == MPI_SUCCESS);
  else
    free(memory);
}

static void compare(enum Collective what, int kinds, MPI_Op op) {
  const int ints = count * size + kMostRanks;
  const size_t bytes = (size_t)ints * sizeof(int);
  int* const out = malloc(bytes);
  int* const in = malloc(bytes);
  for (int i = 0; i < ints; ++i) out[i] = rank * 100000 + i, in[i] = rank * 200000 - i;
  struct Buffers tried = {memory_of(on_device(kinds, 0), out, bytes), memory_of(on_device(kinds, 1), in, bytes)};
  const struct Buffers wanted = {out, in};
  CHECK(run(what, wanted, op) == MPI_SUCCESS);
  CHECK(run(what, tried, op) == MPI_SUCCESS);
  CHECK(device_holds(tried.in, in, bytes));
  CHECK(device_holds(tried.out, out, bytes));
  give_back(on_device(kinds, 0), (void*)tried.out);
  give_back(on_device(kinds, 1), tried.in);
  free(out);
  free(in);
}

static void all_collectives(int of_each) {
  count = of_each;
  for (int i = 0, at = 0; i < size; ++i) {
    counts[i] = i % 3 == 2 ? 0 : of_each - i % 3;
    places[i] = at;
    at += counts[i];
  }
  for (int what = 0; what < kCollectives; ++what) {
    compare((enum Collective)what, 15, MPI_SUM);
    compare((enum Collective)what, 1 + (what * 5 + of_each) % 14, MPI_SUM);
    if (what >= kReduce) compare((enum Collective)what, 15, mixing);
  }
}

/* Several at a time, and one again and again. */
static void other_forms(void) {
  enum { kRounds = 4, kInts = 3000 };
  int values[kInts], sums[kInts], copies[kInts];
  int* const device = allocate_on_device(sizeof values);
  int* const result = allocate_on_device(sizeof values);
  int* const cast = allocate_on_device(sizeof values);
  MPI_Request requests[2], again;
  CHECK(MPI_Allreduce_init(device, result, kInts, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &again) == 0);
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kInts; ++i) values[i] = rank * round + i;
    for (int i = 0; i < kInts; ++i) sums[i] = size * i + size * (size - 1) / 2 * round, copies[i] = root() * round + i;
    copy_bytes(device, values, sizeof values);
    copy_bytes(cast, values, sizeof values);
    CHECK(MPI_Iallreduce(device, result, kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
    CHECK(MPI_Ibcast(cast, kInts, MPI_INT, root(), MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(device_holds(result, sums, sizeof sums) && device_holds(cast, copies, sizeof copies));
    for (int i = 0; i < kInts; ++i) sums[i] = (size - 1) * round + i;
    CHECK(MPI_Start(&again) == MPI_SUCCESS && MPI_Wait(&again, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(device_holds(result, sums, sizeof sums));
  }
  CHECK(MPI_Request_free(&again) == MPI_SUCCESS);
  MPI_Free_mem(device);
  MPI_Free_mem(result);
  MPI_Free_mem(cast);
}

static void local(void) {
  int left[100], right[100];
  for (int i = 0; i < 100; ++i) left[i] = i, right[i] = 1000 * i;
  int* const from = device_copy_of(left, sizeof left);
  int* const into = device_copy_of(right, sizeof right);
  CHECK(MPI_Reduce_local(from, into, 100, MPI_INT, MPI_SUM) == MPI_SUCCESS);
  CHECK(MPI_Reduce_local(left, into, 100, MPI_INT, MPI_SUM) == MPI_SUCCESS);
  for (int i = 0; i < 100; ++i) right[i] += 2 * i;
  CHECK(device_holds(into, right, sizeof right) && device_holds(from, left, sizeof left));
  MPI_Free_mem(from);
  MPI_Free_mem(into);
}

/* The largest value and whose it is: pairs, which have gaps on some processors. */
static void pairs(void) {
  struct {
    double value;
    int owner;
  } own[50], best[50];
  memset(own, 0, sizeof own);
  memset(best, 0, sizeof best);
  for (int i = 0; i < 50; ++i) own[i].value = (rank * 7 + i * 3) % 11, own[i].owner = rank;
  void* const from = device_copy_of(own, sizeof own);
  void* const to = device_copy_of(best, sizeof best);
  CHECK(MPI_Allreduce(own, best, 50, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Allreduce(from, to, 50, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD) == MPI_SUCCESS);
  memset(own, 0, sizeof own);
  copy_bytes(own, to, sizeof own);
  for (int i = 0; i < 50; ++i) CHECK(own[i].value == best[i].value && own[i].owner == best[i].owner);
  MPI_Free_mem(from);
  MPI_Free_mem(to);
}

/* Between neighbours on a ring, which may be the rank itself. */
static void neighbours(void) {
  const int is_periodic = 1;
  int values[2000], got[2000], device_got[2000];
  MPI_Comm ring;
  for (int i = 0; i < 2000; ++i) values[i] = rank * 2000 + i;
  CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &ring) == MPI_SUCCESS);
  int* const from = device_copy_of(values, sizeof values);
  int* const to = allocate_on_device(sizeof values);
  CHECK(MPI_Neighbor_alltoall(values, 1000, MPI_INT, got, 1000, MPI_INT, ring) == MPI_SUCCESS);
  CHECK(MPI_Neighbor_alltoall(from, 1000, MPI_INT, to, 1000, MPI_INT, ring) == MPI_SUCCESS);
  copy_bytes(device_got, to, sizeof device_got);
  CHECK(memcmp(got, device_got, sizeof got) == 0);
  CHECK(MPI_Comm_free(&ring) == MPI_SUCCESS);
  MPI_Free_mem(from);
  MPI_Free_mem(to);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  CHECK(MPI_Op_create(&mix, 0, &mixing) == MPI_SUCCESS);
  CHECK(MPI_Type_vector(1, 10, 20, MPI_INT, &columns) == MPI_SUCCESS);
  MPI_Datatype wide;
  CHECK(MPI_Type_create_resized(columns, 0, 20 * sizeof(int), &wide) == MPI_SUCCESS);
  MPI_Type_free(&columns);
  columns = wide;
  CHECK(MPI_Type_commit(&columns) == MPI_SUCCESS);
  all_collectives(3);
  all_collectives(40);
  all_collectives(9000);
  other_forms();
  local();
  pairs();
  neighbours();
  MPI_Type_free(&columns);
  MPI_Op_free(&mixing);
  MPI_Finalize();
  if (rank == 0) printf("all is well\n");
  return 0;
}

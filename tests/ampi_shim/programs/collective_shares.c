/* SPDX-License-Identifier: Apache-2.0 */
/* Blocking collectives whose ranks meet on their PEs: blocks small and large, in place, of types with gaps, of no
 * elements, in thread-local variables of one rank, of functions of the program. Any number of ranks. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { kMostInts = 3000, kMostRanks = 64 };

static __thread int thread_memory[2 * kMostInts];
static int rank, ranks;

static int word(int from, int to, int at) { return from * 1000003 + to * 1009 + at; }

/* Every third element of memory. */
static MPI_Datatype spaced(int count) {
  MPI_Datatype type;
  CHECK(!MPI_Type_vector(count, 1, 3, MPI_INT, &type) && !MPI_Type_commit(&type));
  return type;
}

static int* ints(int count) {
  int* const memory = malloc(sizeof(int) * (size_t)(count > 0 ? count : 1));
  CHECK(memory != NULL);
  for (int i = 0; i < count; ++i) memory[i] = -1;
  return memory;
}

static void alltoall(MPI_Comm comm, int me, int count, int in_place) {
  int* const out = ints(count * ranks);
  int* const in = ints(count * ranks);
  int* const sent = in_place ? in : out;
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < count; ++i) sent[to * count + i] = word(me, to, i);
  CHECK(!MPI_Alltoall(in_place ? MPI_IN_PLACE : out, count, MPI_INT, in, count, MPI_INT, comm));
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < count; ++i) CHECK(in[from * count + i] == word(from, me, i));
  free(out);
  free(in);
}

/* From elements with gaps and from runs, into elements with gaps at every second rank. */
static void alltoall_of_types(int count) {
  int* const out = ints(3 * count * ranks);
  int* const in = ints(3 * count * ranks);
  MPI_Datatype gaps = spaced(count), whole;
  CHECK(!MPI_Type_create_resized(gaps, 0, (MPI_Aint)sizeof(int) * 3 * count, &whole) && !MPI_Type_commit(&whole));
  const int step = rank % 2 ? 3 : 1;
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < count; ++i) out[(to * count + i) * 3] = word(rank, to, i);
  if (rank % 2)
    CHECK(!MPI_Alltoall(out, 1, whole, in, 1, whole, MPI_COMM_WORLD));
  else
    CHECK(!MPI_Alltoall(out, 1, whole, in, count, MPI_INT, MPI_COMM_WORLD));
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < count; ++i) CHECK(in[(from * count + i) * step] == word(from, rank, i));
  /* others of the PE send from runs, and receive into them */
  for (int i = 0; i < count * ranks; ++i) out[rank % 2 ? i : 3 * i] = word(rank, i / count, i % count);
  CHECK(!MPI_Alltoall(out, rank % 2 ? count : 1, rank % 2 ? MPI_INT : whole, in, count, MPI_INT, MPI_COMM_WORLD));
  for (int i = 0; i < count * ranks; ++i) CHECK(in[i] == word(i / count, rank, i % count));
  for (int i = 0; i < count * ranks; ++i) out[i] = word(rank, i / count, i % count);
  if (rank % 2)
    CHECK(!MPI_Alltoall(out, count, MPI_INT, in, 1, whole, MPI_COMM_WORLD));
  else
    CHECK(!MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD));
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < count; ++i) CHECK(in[(from * count + i) * step] == word(from, rank, i));
  MPI_Type_free(&whole);
  MPI_Type_free(&gaps);
  free(out);
  free(in);
}

/* Some blocks are empty, some small, some large. */
static int between(int from, int to) {
  const int kind = (from * 7 + to * 3) % 5;
  return kind == 0 ? 0 : kind == 4 ? 1500 : from + 2 * to + 1;
}

static void alltoallv(int is_thread_local) {
  int counts_out[kMostRanks], places_out[kMostRanks], counts_in[kMostRanks], places_in[kMostRanks];
  int out_end = 0, in_end = 0;
  for (int i = 0; i < ranks; ++i) {
    counts_out[i] = between(rank, i);
    counts_in[i] = between(i, rank);
    places_out[i] = out_end;
    places_in[i] = in_end;
    out_end += counts_out[i];
    in_end += counts_in[i] + 1;
  }
  int* const memory_out = ints(out_end);
  int* const memory_in = ints(in_end);
  const int fits = is_thread_local && out_end + in_end <= 2 * kMostInts;
  int* const out = fits ? thread_memory : memory_out;
  int* const in = fits ? thread_memory + out_end : memory_in;
  for (int i = 0; i < in_end; ++i) in[i] = -1;
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < counts_out[to]; ++i) out[places_out[to] + i] = word(rank, to, i);
  CHECK(!MPI_Alltoallv(out, counts_out, places_out, MPI_INT, in, counts_in, places_in, MPI_INT, MPI_COMM_WORLD));
  for (int from = 0; from < ranks; ++from) {
    for (int i = 0; i < counts_in[from]; ++i) CHECK(in[places_in[from] + i] == word(from, rank, i));
    CHECK(in[places_in[from] + counts_in[from]] == -1);
  }
  free(memory_out);
  free(memory_in);
}

static void broadcast(int count, int root, int is_thread_local) {
  int* const memory = ints(3 * count);
  int* const data = is_thread_local ? thread_memory : memory;
  for (int i = 0; i < count; ++i) data[i] = rank == root ? word(root, count, i) : -1;
  CHECK(!MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK(data[i] == word(root, count, i));
  free(memory);
}

static void allgather(int count, int in_place) {
  int* const mine = ints(count);
  int* const all = ints(count * ranks);
  for (int i = 0; i < count; ++i) (in_place ? all + rank * count : mine)[i] = word(rank, 0, i);
  CHECK(!MPI_Allgather(in_place ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
  for (int from = 0; from < ranks; ++from)
    for (int i = 0; i < count; ++i) CHECK(all[from * count + i] == word(from, 0, i));
  free(mine);
  free(all);
}

/* There and back, by way of the root. */
static void gather_and_scatter(int count, int root, int in_place) {
  const int is_root = rank == root, keeps = is_root && in_place;
  int* const mine = ints(count);
  int* const all = is_root ? ints(count * ranks) : NULL;
  for (int i = 0; i < count; ++i) (keeps ? all + rank * count : mine)[i] = word(rank, root, i);
  CHECK(!MPI_Gather(keeps ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD));
  for (int i = 0; is_root && i < count * ranks; ++i) {
    CHECK(all[i] == word(i / count, root, i % count));
    all[i] += 5;
  }
  CHECK(!MPI_Scatter(all, count, MPI_INT, keeps ? MPI_IN_PLACE : mine, count, MPI_INT, root, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK((keeps ? all + rank * count : mine)[i] == word(rank, root, i) + 5);
  free(mine);
  free(all);
}

static void reductions(int count, int root, int is_thread_local) {
  int* const memory = ints(2 * count);
  int* const out = is_thread_local ? thread_memory : memory;
  int* const in = out + count;
  const int sum = ranks * (ranks - 1) / 2;
  for (int i = 0; i < count; ++i) out[i] = rank + i;
  CHECK(!MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK(in[i] == sum + ranks * i);
  CHECK(!MPI_Reduce(out, rank == root ? in : NULL, count, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD));
  for (int i = 0; rank == root && i < count; ++i) CHECK(in[i] == ranks - 1 + i);
  CHECK(!MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  for (int i = 0; i < count; ++i) CHECK(out[i] == i);
  free(memory);
}

static void scattered_sums(int count) {
  int counts[kMostRanks], total = 0, first = 0;
  for (int i = 0; i < ranks; ++i) {
    if (i == rank) first = total;
    total += counts[i] = (count + i) % 4;
  }
  int* const out = ints(total);
  int* const in = ints(count + 4);
  for (int i = 0; i < total; ++i) out[i] = rank + i;
  CHECK(!MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < counts[rank]; ++i) CHECK(in[i] == ranks * (ranks - 1) / 2 + ranks * (first + i));
  free(out);
  free(in);
}

/* x -> a x + b: the order matters. */
static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  const unsigned* const left = in;
  unsigned* const right = inout;
  for (int i = 0; i < *length; ++i) {
    const unsigned factor = left[2 * i] * right[2 * i], rest = left[2 * i] * right[2 * i + 1] + left[2 * i + 1];
    right[2 * i] = factor;
    right[2 * i + 1] = rest;
  }
}

static void functions(MPI_Comm comm, int me, int count, int root) {
  MPI_Datatype pair;
  MPI_Op in_order;
  CHECK(!MPI_Type_contiguous(2, MPI_UNSIGNED, &pair) && !MPI_Type_commit(&pair));
  CHECK(!MPI_Op_create(compose, 0, &in_order));
  unsigned* const out = (unsigned*)ints(2 * count);
  unsigned* const in = (unsigned*)ints(2 * count);
  unsigned factor = 1, rest = 0;
  for (int i = 0; i < ranks; ++i) rest = factor * (unsigned)(i + 7) + rest, factor *= (unsigned)(2 * i + 3);
  for (int i = 0; i < count; ++i) out[2 * i] = (unsigned)(2 * me + 3), out[2 * i + 1] = (unsigned)(me + 7);
  CHECK(!MPI_Allreduce(out, in, count, pair, in_order, comm));
  for (int i = 0; i < count; ++i) CHECK(in[2 * i] == factor && in[2 * i + 1] == rest);
  memset(in, 0, 2 * sizeof(unsigned) * (size_t)count);
  CHECK(!MPI_Reduce(out, in, count, pair, in_order, root, comm));
  for (int i = 0; me == root && i < count; ++i) CHECK(in[2 * i] == factor && in[2 * i + 1] == rest);
  MPI_Op_free(&in_order);
  MPI_Type_free(&pair);
  free(out);
  free(in);
}

static void all_of(int count, int root) {
  const int is_odd_one = rank == ranks / 2;
  alltoall(MPI_COMM_WORLD, rank, count, 0);
  alltoall(MPI_COMM_WORLD, rank, count, 1);
  if (count > 0) alltoall_of_types(count);
  broadcast(count, root, is_odd_one);
  broadcast(count, root, rank != root);
  allgather(count, 0);
  allgather(count, 1);
  gather_and_scatter(count, root, 0);
  gather_and_scatter(count, root, 1);
  reductions(count, root, is_odd_one);
  scattered_sums(count);
  functions(MPI_COMM_WORLD, rank, count, root);
}

/* Rank 1 sends more than the root has room for: that is an error there, and nothing behind the room is written. */
static void too_much(int count) {
  enum { kRoom = 1 };
  int counts[kMostRanks], places[kMostRanks];
  MPI_Comm comm;
  CHECK(!MPI_Comm_dup(MPI_COMM_WORLD, &comm) && !MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  for (int i = 0; i < ranks; ++i) counts[i] = kRoom, places[i] = i * count;
  int* const out = ints(count);
  int* const in = ints(count * ranks);
  for (int i = 0; i < count; ++i) out[i] = rank;
  const int error = MPI_Gatherv(out, rank == 1 ? count : kRoom, MPI_INT, in, counts, places, MPI_INT, 0, comm);
  int class = MPI_SUCCESS;
  MPI_Error_class(error, &class);
  if (rank == 0) CHECK(class == MPI_ERR_TRUNCATE);
  for (int i = 0; i < count * ranks; ++i) CHECK(i % count < kRoom || in[i] == -1);
  free(out);
  free(in);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int counts[] = {0, 1, 2, 7, 200, 1024, 1100};
  for (int i = 0; i < (int)(sizeof counts / sizeof *counts); ++i) all_of(counts[i], (i * 5 + 1) % ranks);
  for (int i = 0; i < 3; ++i) alltoallv(rank == i % ranks);
  if (ranks > 1) too_much(9);
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * ranks - rank, &turned);  // no PE's ranks are neighbours
  int place = -1;
  MPI_Comm_rank(turned, &place);
  for (int count = 1; count < 5; ++count) alltoall(turned, place, count, count % 2);
  for (int count = 1; count < 5; ++count) functions(turned, place, count, count % ranks);
  int sum = place, all[kMostRanks];
  CHECK(!MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, turned) && sum == ranks * (ranks - 1) / 2);
  CHECK(!MPI_Allgather(&place, 1, MPI_INT, all, 1, MPI_INT, turned));
  for (int i = 0; i < ranks; ++i) CHECK(all[i] == i);
  MPI_Comm_free(&turned);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives with blocks of different sizes and places, and of derived types. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collective_forms.h"

enum { MOST = 6 };

/* Rank a has for rank b so many pairs of numbers, with these values. */
static int count_of(int a, int b) { return (a * 5 + b * 3) % MOST; }
static int value(int a, int b, int i) { return a * 10007 + b * 101 + i; }

static MPI_Datatype pair; /* two ints in 12 bytes, the second in front */

static void put(int* at, int a, int b) {
  for (int i = 0; i < count_of(a, b); ++i) {
    at[3 * i + 2] = value(a, b, 2 * i);
    at[3 * i] = value(a, b, 2 * i + 1);
  }
}
static void expect_pairs(const int* at, int a, int b) {
  for (int i = 0; i < count_of(a, b); ++i) {
    CHECK(at[3 * i + 2] == value(a, b, 2 * i) && at[3 * i] == value(a, b, 2 * i + 1));
    CHECK(at[3 * i + 1] == -1);
  }
  CHECK(at[3 * count_of(a, b)] == -1); /* behind the block */
}
static void expect_ints(const int* at, int a, int b) {
  for (int i = 0; i < 2 * count_of(a, b); ++i) CHECK(at[i] == value(a, b, i));
}

/* Blocks with gaps, from the last to the first. */
struct layout {
  int* memory;
  int* counts;
  int* places;
  int size;
};
static struct layout layout_for(int size) {
  struct layout made = {malloc((size_t)size * (MOST + 1) * 3 * sizeof(int)), malloc((size_t)size * sizeof(int)),
                        malloc((size_t)size * sizeof(int)), size};
  memset(made.memory, 0xff, (size_t)size * (MOST + 1) * 3 * sizeof(int));
  for (int i = 0; i < size; ++i) made.places[i] = (size - 1 - i) * (MOST + 1);
  return made;
}
static void release(struct layout layout) {
  free(layout.memory);
  free(layout.counts);
  free(layout.places);
}
static int* block(struct layout layout, int i) { return layout.memory + 3 * layout.places[i]; }

static void gather_and_scatter(MPI_Comm comm, int rank, int size, int form) {
  for (int root = 0; root < size; root += 1 + size / 3) {
    struct layout all = layout_for(size);
    int mine[2 * MOST];
    for (int i = 0; i < size; ++i) all.counts[i] = count_of(i, root);
    for (int i = 0; i < 2 * count_of(rank, root); ++i) mine[i] = value(rank, root, i);
    const int count = 2 * count_of(rank, root);
    COLLECTIVE_OF_LISTS(form, MPI_Gatherv, MPI_Igatherv, mine, count, MPI_INT, all.memory, all.counts, all.places, pair,
                        root, comm);
    if (rank == root)
      for (int i = 0; i < size; ++i) expect_pairs(block(all, i), i, root);
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < size; ++i) put(block(all, i), i, root);
    COLLECTIVE_OF_LISTS(form, MPI_Scatterv, MPI_Iscatterv, all.memory, all.counts, all.places, pair, mine, count,
                        MPI_INT, root, comm);
    expect_ints(mine, rank, root);
    release(all);
  }
}

static void gather_all(MPI_Comm comm, int rank, int size, int in_place) {
  struct layout all = layout_for(size);
  int mine[2 * MOST];
  for (int i = 0; i < size; ++i) all.counts[i] = count_of(i, 1);
  for (int i = 0; i < 2 * count_of(rank, 1); ++i) mine[i] = value(rank, 1, i);
  if (in_place) put(block(all, rank), rank, 1);
  CHECK(!MPI_Allgatherv(in_place ? MPI_IN_PLACE : mine, 2 * count_of(rank, 1), MPI_INT, all.memory, all.counts,
                        all.places, pair, comm));
  for (int i = 0; i < size; ++i) expect_pairs(block(all, i), i, 1);
  release(all);
}

static void exchange(MPI_Comm comm, int rank, int size) {
  struct layout from = layout_for(size), to = layout_for(size);
  MPI_Request request;
  for (int i = 0; i < size; ++i) {
    from.counts[i] = count_of(rank, i);
    to.counts[i] = count_of(i, rank);
    put(block(from, i), rank, i);
  }
  CHECK(!MPI_Alltoallv(from.memory, from.counts, from.places, pair, to.memory, to.counts, to.places, pair, comm));
  for (int i = 0; i < size; ++i) expect_pairs(block(to, i), i, rank);
  release(to);

  /* The same with types for each rank, and places in bytes. */
  to = layout_for(size);
  MPI_Datatype* types = malloc((size_t)size * sizeof *types);
  for (int i = 0; i < size; ++i) {
    types[i] = pair;
    to.counts[i] = count_of(i, rank);
    to.places[i] *= 12;
    from.places[i] *= 12;
  }
  CHECK(!MPI_Ialltoallw(from.memory, from.counts, from.places, types, to.memory, to.counts, to.places, types, comm,
                        &request));
  wait_for_request(&request);
  for (int i = 0; i < size; ++i) expect_pairs(to.memory + to.places[i] / 4, i, rank);

  /* Large counts. */
  memset(to.memory, 0xff, (size_t)size * (MOST + 1) * 12);
  MPI_Count* sent = malloc((size_t)size * sizeof *sent);
  MPI_Count* received = malloc((size_t)size * sizeof *received);
  MPI_Aint* send_places = malloc((size_t)size * sizeof *send_places);
  MPI_Aint* places = malloc((size_t)size * sizeof *places);
  for (int i = 0; i < size; ++i) {
    sent[i] = from.counts[i];
    received[i] = to.counts[i];
    send_places[i] = from.places[i];
    places[i] = to.places[i];
  }
  CHECK(!MPI_Alltoallw_c(from.memory, sent, send_places, types, to.memory, received, places, types, comm));
  for (int i = 0; i < size; ++i) expect_pairs(to.memory + to.places[i] / 4, i, rank);
  free(sent);
  free(received);
  free(send_places);
  free(places);
  free(types);
  release(from);
  release(to);
}

/* A type may be freed while a collective with it is under way. */
static void freed_type(MPI_Comm comm, int rank) {
  MPI_Datatype type;
  MPI_Request request;
  int data[200];
  for (int i = 0; i < 200; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Type_vector(100, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  CHECK(!MPI_Ibcast(data, 1, type, 0, comm, &request));
  MPI_Type_free(&type);
  wait_for_request(&request);
  for (int i = 0; i < 200; ++i) CHECK(data[i] == (i % 2 == 0 || rank == 0 ? i : -1));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_of_world(), size = size_of_world();
  const int places[] = {2, 0};
  MPI_Datatype holed;
  MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &holed);
  MPI_Type_create_resized(holed, 0, 12, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_free(&holed);
  for (int form = 0; form < FORMS; ++form) gather_and_scatter(MPI_COMM_WORLD, rank, size, form);
  gather_all(MPI_COMM_WORLD, rank, size, 0);
  gather_all(MPI_COMM_WORLD, rank, size, 1);
  exchange(MPI_COMM_WORLD, rank, size);
  freed_type(MPI_COMM_WORLD, rank);
  MPI_Type_free(&pair);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

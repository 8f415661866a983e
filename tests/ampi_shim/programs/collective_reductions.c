/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of many types and operations, in all forms, with and without MPI_IN_PLACE. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collective_forms.h"

enum { COUNT = 5 };

static int rank, size;

/* Values small enough to be exact in all types. */
#define TEST_SUM(name, type, handle)                                                                     \
  static void name(enum form form) {                                                                     \
    type from[COUNT], to[COUNT], expected[COUNT];                                                        \
    for (int i = 0; i < COUNT; ++i) {                                                                    \
      from[i] = (type)(rank % 2 + i % 2);                                                                \
      expected[i] = (type)(size / 2 + size * (i % 2));                                                   \
    }                                                                                                    \
    COLLECTIVE(form, MPI_Allreduce, MPI_Iallreduce, from, to, COUNT, handle, MPI_SUM, MPI_COMM_WORLD);   \
    for (int i = 0; i < COUNT; ++i) CHECK(to[i] == expected[i]);                                         \
    for (int root = 0; root < size; root += 1 + size / 3) {                                              \
      memset(to, 0, sizeof to);                                                                          \
      COLLECTIVE(form, MPI_Reduce, MPI_Ireduce, from, to, COUNT, handle, MPI_SUM, root, MPI_COMM_WORLD); \
      for (int i = 0; i < COUNT && rank == root; ++i) CHECK(to[i] == expected[i]);                       \
    }                                                                                                    \
    memcpy(to, from, sizeof to);                                                                         \
    CHECK(!MPI_Allreduce(MPI_IN_PLACE, to, COUNT, handle, MPI_SUM, MPI_COMM_WORLD));                     \
    for (int i = 0; i < COUNT; ++i) CHECK(to[i] == expected[i]);                                         \
  }
TEST_SUM(sum_char, signed char, MPI_SIGNED_CHAR)
TEST_SUM(sum_short, unsigned short, MPI_UNSIGNED_SHORT)
TEST_SUM(sum_int, int, MPI_INT)
TEST_SUM(sum_long, long long, MPI_LONG_LONG)
TEST_SUM(sum_float, float, MPI_FLOAT)
TEST_SUM(sum_double, double, MPI_DOUBLE)
TEST_SUM(sum_long_double, long double, MPI_LONG_DOUBLE)
TEST_SUM(sum_complex, float complex, MPI_C_FLOAT_COMPLEX)
TEST_SUM(sum_double_complex, double complex, MPI_C_DOUBLE_COMPLEX)
TEST_SUM(sum_long_double_complex, long double complex, MPI_C_LONG_DOUBLE_COMPLEX)

static void products_of_complex(void) {
  double complex mine = rank % 4 == 0 ? I : 1, all, expected = 1;
  for (int i = 0; i < size; i += 4) expected *= I;
  CHECK(!MPI_Allreduce(&mine, &all, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD));
  CHECK(all == expected);
}

#define TEST_PAIRS(name, type, handle)                                        \
  static void name(void) {                                                    \
    struct {                                                                  \
      type value;                                                             \
      int index;                                                              \
    } from[3], low[3], high[3];                                               \
    for (int i = 0; i < 3; ++i) {                                             \
      from[i].value = (type)(i == 0 ? rank : i == 1 ? size - rank : 7);       \
      from[i].index = rank + 100 * i;                                         \
    }                                                                         \
    CHECK(!MPI_Allreduce(from, low, 3, handle, MPI_MINLOC, MPI_COMM_WORLD));  \
    CHECK(!MPI_Allreduce(from, high, 3, handle, MPI_MAXLOC, MPI_COMM_WORLD)); \
    CHECK(low[0].value == 0 && low[0].index == 0);                            \
    CHECK(low[1].value == 1 && low[1].index == size - 1 + 100);               \
    CHECK(low[2].value == 7 && low[2].index == 200);                          \
    CHECK(high[0].value == (type)(size - 1) && high[0].index == size - 1);    \
    CHECK(high[1].value == (type)size && high[1].index == 100);               \
    CHECK(high[2].value == 7 && high[2].index == 200);                        \
  }
TEST_PAIRS(pairs_of_int, int, MPI_2INT)
TEST_PAIRS(pairs_of_short, short, MPI_SHORT_INT)
TEST_PAIRS(pairs_of_long, long, MPI_LONG_INT)
TEST_PAIRS(pairs_of_float, float, MPI_FLOAT_INT)
TEST_PAIRS(pairs_of_double, double, MPI_DOUBLE_INT)
TEST_PAIRS(pairs_of_long_double, long double, MPI_LONG_DOUBLE_INT)

static void other_operations(void) {
  unsigned mine = 1u << (rank % 31), all, one = rank == size - 1 ? 5 : 3;
  unsigned expected = 0;
  for (int i = 0; i < size; ++i) expected |= 1u << (i % 31);
  CHECK(!MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD) && all == expected);
  CHECK(!MPI_Allreduce(&one, &all, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD) && all == 5);
  CHECK(!MPI_Allreduce(&one, &all, 1, MPI_UNSIGNED, MPI_MIN, MPI_COMM_WORLD) && all == (size == 1 ? 5u : 3u));
  CHECK(!MPI_Allreduce(&one, &all, 1, MPI_UNSIGNED, MPI_BAND, MPI_COMM_WORLD) && all == (size == 1 ? 5u : 1u));
  int flag = rank == 0, any, every;
  CHECK(!MPI_Allreduce(&flag, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD) && any == 1);
  CHECK(!MPI_Allreduce(&flag, &every, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD) && every == (size == 1));
  CHECK(!MPI_Allreduce(&flag, &any, 1, MPI_INT, MPI_LXOR, MPI_COMM_WORLD) && any == 1);
}

/* x -> a x + b: one map after the other, which does not commute. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  unsigned *left = in, *right = inout;
  CHECK(*type != MPI_DATATYPE_NULL);
  for (int i = 0; i < *count; ++i) {
    right[2 * i + 1] += right[2 * i] * left[2 * i + 1];
    right[2 * i] *= left[2 * i];
  }
}
static void own_map(int of, unsigned map[2 * COUNT]) {
  for (int i = 0; i < 2 * COUNT; ++i) map[i] = 3u + 2u * (unsigned)(of * 100 + i);
}
static void maps_before(int end, unsigned map[2 * COUNT]) {
  unsigned next[2 * COUNT];
  int count = COUNT;
  MPI_Datatype type = MPI_INT;
  own_map(0, map);
  for (int i = 1; i < end; ++i) {
    own_map(i, next);
    compose(map, next, &count, &type);
    memcpy(map, next, sizeof next);
  }
}

static void maps(enum form form, MPI_Datatype map, MPI_Op op) {
  unsigned mine[2 * COUNT], result[2 * COUNT], expected[2 * COUNT];
  own_map(rank, mine);
  maps_before(size, expected);
  COLLECTIVE(form, MPI_Allreduce, MPI_Iallreduce, mine, result, COUNT, map, op, MPI_COMM_WORLD);
  CHECK(memcmp(result, expected, sizeof expected) == 0);
  for (int root = 0; root < size; root += 1 + size / 3) {
    COLLECTIVE(form, MPI_Reduce, MPI_Ireduce, mine, result, COUNT, map, op, root, MPI_COMM_WORLD);
    if (rank == root) CHECK(memcmp(result, expected, sizeof expected) == 0);
    memcpy(result, mine, sizeof mine);
    CHECK(!MPI_Reduce(rank == root ? MPI_IN_PLACE : mine, result, COUNT, map, op, root, MPI_COMM_WORLD));
    if (rank == root) CHECK(memcmp(result, expected, sizeof expected) == 0);
  }
  maps_before(rank + 1, expected);
  COLLECTIVE(form, MPI_Scan, MPI_Iscan, mine, result, COUNT, map, op, MPI_COMM_WORLD);
  CHECK(memcmp(result, expected, sizeof expected) == 0);
  if (rank > 0) maps_before(rank, expected);
  COLLECTIVE(form, MPI_Exscan, MPI_Iexscan, mine, result, COUNT, map, op, MPI_COMM_WORLD);
  if (rank > 0) CHECK(memcmp(result, expected, sizeof expected) == 0);
}

/* Rank r gets r % 3 + 1 numbers, or 2 each. */
static void scattered(enum form form) {
  int total = 0, begin = 0;
  int* counts = malloc((size_t)size * sizeof(int));
  for (int i = 0; i < size; ++i) {
    if (i == rank) begin = total;
    total += counts[i] = i % 3 + 1;
  }
  const int room = total > 2 * size ? total : 2 * size;
  int* from = malloc((size_t)room * sizeof(int));
  int* to = malloc((size_t)room * sizeof(int));
  for (int i = 0; i < room; ++i) from[i] = to[i] = i * (rank + 1);
  const int ranks = size * (size + 1) / 2;
  if (form == LARGE)
    CHECK(!MPI_Reduce_scatter(MPI_IN_PLACE, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  else
    COLLECTIVE_OF_LISTS(form, MPI_Reduce_scatter, MPI_Ireduce_scatter, from, to, counts, MPI_INT, MPI_SUM,
                        MPI_COMM_WORLD);
  for (int i = 0; i < counts[rank]; ++i) CHECK(to[i] == (begin + i) * ranks);
  COLLECTIVE(form, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, from, to, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) CHECK(to[i] == (2 * rank + i) * ranks);
  free(counts);
  free(from);
  free(to);
}

/* About the sizes at which a reduction goes on to the next part of its elements. */
static void parts(void) {
  enum { kMost = 2 * 4096 + 1 };
  static int from[kMost], to[kMost + 1];
  for (int i = 0; i < kMost; ++i) from[i] = rank + i;
  for (int count = 4095; count <= kMost; count += count == 4097 ? 4094 : 1) {
    for (int i = 0; i <= kMost; ++i) to[i] = -1;
    CHECK(!MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < count; ++i) CHECK(to[i] == size * (size - 1) / 2 + size * i);
    CHECK(to[count] == -1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  MPI_Datatype map;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &map);
  MPI_Type_commit(&map);
  MPI_Op_create(compose, 0, &op);
  for (enum form form = BLOCKING; form < FORMS; ++form) {
    sum_char(form), sum_short(form), sum_int(form), sum_long(form), sum_float(form), sum_double(form);
    sum_long_double(form), sum_complex(form), sum_double_complex(form), sum_long_double_complex(form);
    maps(form, map, op);
    scattered(form);
  }
  products_of_complex();
  parts();
  pairs_of_int(), pairs_of_short(), pairs_of_long(), pairs_of_float(), pairs_of_double(), pairs_of_long_double();
  other_operations();
  MPI_Op_free(&op);
  MPI_Type_free(&map);
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of derived types around a ring of any number of ranks: what each constructor describes is written down by
   hand as places of integers, in order. */
#include <string.h>

#include "check.h"

enum { kMemory = 64, kMost = 16 };

typedef struct {
  const char* name;
  MPI_Datatype type;
  int extent, count, places[kMost]; /* integers */
} Case;

static int rank, next, last;

/* One as the type, the other as integers one after the other; also two of the type. */
static void check_messages(const Case* this, int copies) {
  int memory[2 * kMemory], plain[2 * kMost];
  const int count = this->count * copies;
  MPI_Status status;
  for (int i = 0; i < 2 * kMemory; ++i) memory[i] = rank * 1000 + i;
  CHECK(
      !MPI_Sendrecv(memory, copies, this->type, next, 1, plain, 2 * kMost, MPI_INT, last, 1, MPI_COMM_WORLD, &status));
  int got;
  CHECK(!MPI_Get_count(&status, MPI_INT, &got) && got == count);
  for (int i = 0; i < count; ++i) {
    const int place = this->places[i % this->count] + i / this->count * this->extent;
    if (plain[i] != last * 1000 + place) fprintf(stderr, "%s: value %d is %d\n", this->name, i, plain[i]);
    CHECK(plain[i] == last * 1000 + place);
  }
  memset(memory, -1, sizeof memory);
  for (int i = 0; i < count; ++i) plain[i] = rank * 1000 + i;
  CHECK(!MPI_Sendrecv(plain, count, MPI_INT, next, 2, memory, copies, this->type, last, 2, MPI_COMM_WORLD, &status));
  CHECK(!MPI_Get_count(&status, this->type, &got) && got == copies);
  CHECK(!MPI_Get_elements(&status, this->type, &got) && got == count);
  for (int i = 0; i < count; ++i) {
    int* const place = &memory[this->places[i % this->count] + i / this->count * this->extent];
    CHECK(*place == last * 1000 + i);
    *place = -1;
  }
  for (int i = 0; i < 2 * kMemory; ++i) CHECK(memory[i] == -1);
}

static void check_case(Case this) {
  MPI_Aint lower, extent;
  int size;
  CHECK(!MPI_Type_commit(&this.type));
  CHECK(!MPI_Type_get_extent(this.type, &lower, &extent));
  CHECK(extent == this.extent * (int)sizeof(int) && lower == 0);
  CHECK(!MPI_Type_size(this.type, &size) && size == this.count * (int)sizeof(int));
  check_messages(&this, 1);
  check_messages(&this, 2);
  CHECK(!MPI_Type_free(&this.type) && this.type == MPI_DATATYPE_NULL);
}

static void regular(int is_large) {
  Case cases[] = {{"contiguous", MPI_DATATYPE_NULL, 3, 3, {0, 1, 2}},
                  {"vector", MPI_DATATYPE_NULL, 10, 6, {0, 1, 4, 5, 8, 9}},
                  {"hvector", MPI_DATATYPE_NULL, 11, 3, {0, 5, 10}},
                  {"resized", MPI_DATATYPE_NULL, 5, 1, {0}},
                  {"dup", MPI_DATATYPE_NULL, 10, 6, {0, 1, 4, 5, 8, 9}}};
  if (is_large) {
    CHECK(!MPI_Type_contiguous_c(3, MPI_INT, &cases[0].type));
    CHECK(!MPI_Type_vector_c(3, 2, 4, MPI_INT, &cases[1].type));
    CHECK(!MPI_Type_create_hvector_c(3, 1, 20, MPI_INT, &cases[2].type));
    CHECK(!MPI_Type_create_resized_c(MPI_INT, 0, 20, &cases[3].type));
  } else {
    CHECK(!MPI_Type_contiguous(3, MPI_INT, &cases[0].type));
    CHECK(!MPI_Type_vector(3, 2, 4, MPI_INT, &cases[1].type));
    CHECK(!MPI_Type_create_hvector(3, 1, 20, MPI_INT, &cases[2].type));
    CHECK(!MPI_Type_create_resized(MPI_INT, 0, 20, &cases[3].type));
  }
  CHECK(!MPI_Type_dup(cases[1].type, &cases[4].type));
  for (int i = 0; i < 5; ++i) check_case(cases[i]);
}

static void indexed(int is_large) {
  static const int lengths[] = {2, 0, 3}, places[] = {4, 9, 0}, starts[] = {6, 0, 3};
  static const MPI_Aint bytes[] = {16, 36, 0}, starts_bytes[] = {24, 0, 12};
  static const MPI_Count lengths_c[] = {2, 0, 3}, places_c[] = {4, 9, 0}, starts_c[] = {6, 0, 3};
  static const MPI_Count bytes_c[] = {16, 36, 0}, starts_bytes_c[] = {24, 0, 12};
  Case cases[] = {{"indexed", MPI_DATATYPE_NULL, 6, 5, {4, 5, 0, 1, 2}},
                  {"hindexed", MPI_DATATYPE_NULL, 6, 5, {4, 5, 0, 1, 2}},
                  {"indexed_block", MPI_DATATYPE_NULL, 8, 6, {6, 7, 0, 1, 3, 4}},
                  {"hindexed_block", MPI_DATATYPE_NULL, 8, 6, {6, 7, 0, 1, 3, 4}}};
  if (is_large) {
    CHECK(!MPI_Type_indexed_c(3, lengths_c, places_c, MPI_INT, &cases[0].type));
    CHECK(!MPI_Type_create_hindexed_c(3, lengths_c, bytes_c, MPI_INT, &cases[1].type));
    CHECK(!MPI_Type_create_indexed_block_c(3, 2, starts_c, MPI_INT, &cases[2].type));
    CHECK(!MPI_Type_create_hindexed_block_c(3, 2, starts_bytes_c, MPI_INT, &cases[3].type));
  } else {
    CHECK(!MPI_Type_indexed(3, lengths, places, MPI_INT, &cases[0].type));
    CHECK(!MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &cases[1].type));
    CHECK(!MPI_Type_create_indexed_block(3, 2, starts, MPI_INT, &cases[2].type));
    CHECK(!MPI_Type_create_hindexed_block(3, 2, starts_bytes, MPI_INT, &cases[3].type));
  }
  for (int i = 0; i < 4; ++i) check_case(cases[i]);
}

static void structure(int is_large) {
  static const int lengths[] = {2, 1, 1};
  static const MPI_Aint bytes[] = {28, 12, 0};
  static const MPI_Count lengths_c[] = {2, 1, 1}, bytes_c[] = {28, 12, 0};
  Case this = {"struct", MPI_DATATYPE_NULL, 9, 5, {7, 8, 3, 5, 0}};
  MPI_Datatype types[] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT};
  CHECK(!MPI_Type_vector(2, 1, 2, MPI_INT, &types[1]));
  if (is_large)
    CHECK(!MPI_Type_create_struct_c(3, lengths_c, bytes_c, types, &this.type));
  else
    CHECK(!MPI_Type_create_struct(3, lengths, bytes, types, &this.type));
  CHECK(!MPI_Type_free(&types[1])); /* the new type goes on */
  check_case(this);
}

static void arrays(int is_large) {
  static const int sizes[] = {4, 5}, parts[] = {2, 3}, starts[] = {1, 1};
  static const MPI_Count sizes_c[] = {4, 5}, parts_c[] = {2, 3}, starts_c[] = {1, 1};
  static const int orders[] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
  const Case cases[] = {{"subarray", MPI_DATATYPE_NULL, 20, 6, {6, 7, 8, 11, 12, 13}},
                        {"subarray of Fortran", MPI_DATATYPE_NULL, 20, 6, {5, 6, 9, 10, 13, 14}}};
  for (int i = 0; i < 2; ++i) {
    Case this = cases[i];
    if (is_large)
      CHECK(!MPI_Type_create_subarray_c(2, sizes_c, parts_c, starts_c, orders[i], MPI_INT, &this.type));
    else
      CHECK(!MPI_Type_create_subarray(2, sizes, parts, starts, orders[i], MPI_INT, &this.type));
    check_case(this);
  }
}

static void distributed_arrays(int is_large) {
  const Case cases[] = {{"darray in blocks", MPI_DATATYPE_NULL, 10, 4, {4, 5, 6, 7}},
                        {"cyclic darray", MPI_DATATYPE_NULL, 10, 6, {0, 1, 4, 5, 8, 9}},
                        {"darray of two dimensions", MPI_DATATYPE_NULL, 12, 4, {6, 7, 9, 10}}};
  const int ranks[] = {3, 2, 4}, places[] = {1, 0, 2}, dimensions[] = {1, 1, 2};
  const int sizes[][2] = {{10, 1}, {10, 1}, {4, 3}}, grids[][2] = {{3, 1}, {2, 1}, {2, 2}};
  const MPI_Count sizes_c[][2] = {{10, 1}, {10, 1}, {4, 3}};
  const int kinds[][2] = {{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
                          {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                          {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}};
  const int arguments[][2] = {{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
                              {2, MPI_DISTRIBUTE_DFLT_DARG},
                              {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}};
  for (int i = 0; i < 3; ++i) {
    Case this = cases[i];
    if (is_large)
      CHECK(!MPI_Type_create_darray_c(ranks[i], places[i], dimensions[i], sizes_c[i], kinds[i], arguments[i], grids[i],
                                      MPI_ORDER_C, MPI_INT, &this.type));
    else
      CHECK(!MPI_Type_create_darray(ranks[i], places[i], dimensions[i], sizes[i], kinds[i], arguments[i], grids[i],
                                    MPI_ORDER_C, MPI_INT, &this.type));
    check_case(this);
  }
}

/* Addresses of the program, from MPI_BOTTOM. */
static void absolute(void) {
  int first = rank, second[2] = {rank + 1, rank + 2}, got[3];
  const int lengths[] = {1, 2};
  MPI_Aint places[2];
  MPI_Datatype type;
  MPI_Get_address(&first, &places[0]);
  MPI_Get_address(second, &places[1]);
  CHECK(MPI_Aint_diff(places[1], places[0]) == (char*)second - (char*)&first);
  CHECK(MPI_Aint_add(places[0], 4) == places[0] + 4);
  CHECK(!MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type) && !MPI_Type_commit(&type));
  CHECK(!MPI_Sendrecv(MPI_BOTTOM, 1, type, next, 3, got, 3, MPI_INT, last, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (int i = 0; i < 3; ++i) CHECK(got[i] == last + i);
  MPI_Type_free(&type);
}

/* More than is sent at once: to another process a packed copy goes, and the sending half of the exchange ends then. */
static void exchanges_of_many(void) {
  enum { kInts = 6000 };
  static int sent[2 * kInts], got[2 * kInts];
  MPI_Datatype type;
  MPI_Request request;
  CHECK(!MPI_Type_vector(kInts, 1, 2, MPI_INT, &type) && !MPI_Type_commit(&type));
  for (int i = 0; i < 2 * kInts; ++i) sent[i] = rank * 1000 + i, got[i] = -1;
  CHECK(!MPI_Isendrecv(sent, 1, type, next, 4, got, 1, type, last, 4, MPI_COMM_WORLD, &request));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int i = 0; i < 2 * kInts; ++i) CHECK(got[i] == (i % 2 == 0 ? last * 1000 + i : -1));
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  for (int is_large = 0; is_large < 2; ++is_large) {
    regular(is_large);
    indexed(is_large);
    structure(is_large);
    arrays(is_large);
    distributed_arrays(is_large);
  }
  absolute();
  exchanges_of_many();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Values packed into bytes, sent, and unpacked in pieces; also in the format that all machines share. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, next, last;

static void packed_messages(void) {
  char bytes[200];
  int at = 0, first[3] = {rank, 2, 3}, got[3] = {0}, limit, limit_of_doubles;
  double second[2] = {rank + 0.5, -1}, got_doubles[2] = {0};
  MPI_Status status;
  CHECK(!MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &limit) && limit >= 12);
  CHECK(!MPI_Pack_size(2, MPI_DOUBLE, MPI_COMM_WORLD, &limit_of_doubles) && limit_of_doubles >= 16);
  CHECK(!MPI_Pack(first, 3, MPI_INT, bytes, sizeof bytes, &at, MPI_COMM_WORLD) && at >= 12 && at <= limit);
  CHECK(!MPI_Pack(second, 2, MPI_DOUBLE, bytes, sizeof bytes, &at, MPI_COMM_WORLD));
  CHECK(at >= 28 && at <= limit + limit_of_doubles);
  char in[200];
  CHECK(!MPI_Sendrecv(bytes, at, MPI_PACKED, next, 0, in, sizeof in, MPI_PACKED, last, 0, MPI_COMM_WORLD, &status));
  int count;
  CHECK(!MPI_Get_count(&status, MPI_PACKED, &count) && count == at);
  at = 0;
  CHECK(!MPI_Unpack(in, count, &at, got, 1, MPI_INT, MPI_COMM_WORLD));
  CHECK(!MPI_Unpack(in, count, &at, got + 1, 2, MPI_INT, MPI_COMM_WORLD));
  CHECK(!MPI_Unpack(in, count, &at, got_doubles, 2, MPI_DOUBLE, MPI_COMM_WORLD) && at == count);
  CHECK(got[0] == last && got[1] == 2 && got[2] == 3 && got_doubles[0] == last + 0.5 && got_doubles[1] == -1);
}

/* What one rank packs, another may receive as values, and the other way round. */
static void packed_as_values(void) {
  char bytes[64];
  int values[4] = {rank, rank + 1, rank + 2, rank + 3}, got[4];
  MPI_Count at = 0, limit;
  CHECK(!MPI_Pack_size_c(4, MPI_INT, MPI_COMM_WORLD, &limit) && limit <= (int)sizeof bytes);
  CHECK(!MPI_Pack_c(values, 4, MPI_INT, bytes, sizeof bytes, &at, MPI_COMM_WORLD));
  MPI_Sendrecv(bytes, (int)at, MPI_PACKED, next, 1, got, 4, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i) CHECK(got[i] == last + i);
  MPI_Sendrecv(values, 4, MPI_INT, next, 2, bytes, sizeof bytes, MPI_PACKED, last, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  at = 0;
  CHECK(!MPI_Unpack_c(bytes, sizeof bytes, &at, got, 4, MPI_INT, MPI_COMM_WORLD));
  for (int i = 0; i < 4; ++i) CHECK(got[i] == last + i);
}

/* A type with gaps: only its values are packed. */
static void packed_types(void) {
  int memory[12], got[12], at = 0, limit;
  MPI_Datatype type;
  for (int i = 0; i < 12; ++i) memory[i] = i;
  memset(got, -1, sizeof got);
  MPI_Type_vector(3, 1, 4, MPI_INT, &type);
  MPI_Type_commit(&type);
  CHECK(!MPI_Pack_size(1, type, MPI_COMM_SELF, &limit));
  char* const bytes = malloc((size_t)limit);
  CHECK(!MPI_Pack(memory, 1, type, bytes, limit, &at, MPI_COMM_SELF) && at == 12);
  limit = at;
  at = 0;
  CHECK(!MPI_Unpack(bytes, limit, &at, got, 1, type, MPI_COMM_SELF) && at == 12);
  for (int i = 0; i < 12; ++i) CHECK(got[i] == (i % 4 == 0 ? i : -1));
  free(bytes);
  MPI_Type_free(&type);
}

static void external(void) {
  static const unsigned char expected[] = {0x01, 0x02, 0x03, 0x04, 0xc0, 0x04, 0, 0, 0, 0, 0, 0};
  unsigned char bytes[12] = {0};
  const int whole = 0x01020304;
  const double real = -2.5;
  int got_whole = 0;
  double got_real = 0;
  MPI_Aint at = 0, size;
  MPI_Count at_c = 0, size_c;
  CHECK(!MPI_Pack_external_size("external32", 1, MPI_DOUBLE, &size) && size == 8);
  CHECK(!MPI_Pack_external("external32", &whole, 1, MPI_INT, bytes, 12, &at) && at == 4);
  CHECK(!MPI_Pack_external("external32", &real, 1, MPI_DOUBLE, bytes, 12, &at) && at == 12);
  CHECK(memcmp(bytes, expected, 12) == 0);
  at = 0;
  CHECK(!MPI_Unpack_external("external32", bytes, 12, &at, &got_whole, 1, MPI_INT));
  CHECK(!MPI_Unpack_external("external32", bytes, 12, &at, &got_real, 1, MPI_DOUBLE) && at == 12);
  CHECK(got_whole == whole && got_real == real);
  CHECK(!MPI_Pack_external_size_c("external32", 3, MPI_SHORT, &size_c) && size_c == 6);
  memset(bytes, 0, sizeof bytes);
  CHECK(!MPI_Pack_external_c("external32", &whole, 1, MPI_INT, bytes, 12, &at_c) && at_c == 4);
  CHECK(memcmp(bytes, expected, 4) == 0);
  at_c = got_whole = 0;
  CHECK(!MPI_Unpack_external_c("external32", bytes, 12, &at_c, &got_whole, 1, MPI_INT) && got_whole == whole);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  packed_messages();
  packed_as_values();
  packed_types();
  external();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

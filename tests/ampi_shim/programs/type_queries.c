/* SPDX-License-Identifier: Apache-2.0 */
/* What types tell of themselves: how they were made, sizes and bounds, names, attributes; and how much a message had.
 */
#include <string.h>

#include "check.h"

static int rank, size;

static void envelope(MPI_Datatype type, int combiner, int integers, int addresses, int types) {
  int found[4];
  MPI_Count large[4];
  int large_combiner;
  CHECK(!MPI_Type_get_envelope(type, &found[0], &found[1], &found[2], &found[3]));
  CHECK(found[0] == integers && found[1] == addresses && found[2] == types && found[3] == combiner);
  CHECK(!MPI_Type_get_envelope_c(type, &large[0], &large[1], &large[2], &large[3], &large_combiner));
  CHECK(large[0] == integers && large[1] == addresses && large[2] == 0 && large[3] == types);
  CHECK(large_combiner == combiner);
}

static void contents(void) {
  MPI_Datatype vector, structure, dup, resized, inner[2];
  int integers[4];
  MPI_Aint addresses[2];
  const int lengths[] = {3, 1};
  const MPI_Aint places[] = {0, 48};
  envelope(MPI_INT, MPI_COMBINER_NAMED, 0, 0, 0);
  MPI_Type_vector(4, 2, 3, MPI_INT, &vector);
  envelope(vector, MPI_COMBINER_VECTOR, 3, 0, 1);
  CHECK(!MPI_Type_get_contents(vector, 3, 0, 1, integers, NULL, inner));
  CHECK(integers[0] == 4 && integers[1] == 2 && integers[2] == 3 && inner[0] == MPI_INT);
  MPI_Datatype of_struct[] = {MPI_DOUBLE, vector};
  MPI_Type_create_struct(2, lengths, places, of_struct, &structure);
  envelope(structure, MPI_COMBINER_STRUCT, 3, 2, 2);
  CHECK(!MPI_Type_get_contents(structure, 3, 2, 2, integers, addresses, inner));
  CHECK(integers[0] == 2 && integers[1] == 3 && integers[2] == 1 && addresses[0] == 0 && addresses[1] == 48);
  CHECK(inner[0] == MPI_DOUBLE && inner[1] != MPI_DATATYPE_NULL);
  envelope(inner[1], MPI_COMBINER_VECTOR, 3, 0, 1);
  MPI_Type_free(&inner[1]);
  MPI_Type_dup(structure, &dup);
  envelope(dup, MPI_COMBINER_DUP, 0, 0, 1);
  MPI_Type_create_resized(MPI_INT, -4, 24, &resized);
  envelope(resized, MPI_COMBINER_RESIZED, 0, 2, 1);
  CHECK(!MPI_Type_get_contents(resized, 0, 2, 1, NULL, addresses, inner) && addresses[0] == -4 && addresses[1] == 24);
  MPI_Type_free(&resized);
  MPI_Type_free(&dup);
  MPI_Type_free(&structure);
  MPI_Type_free(&vector);
}

static void large_contents(void) {
  const MPI_Count large = (MPI_Count)1 << 33;
  MPI_Datatype type, inner;
  MPI_Count counts[1], extent, lower;
  int code, class, flag;
  CHECK(!MPI_Type_contiguous_c(large, MPI_CHAR, &type));
  CHECK(!MPI_Type_size_c(type, &extent) && extent == large && !MPI_Type_size_x(type, &extent) && extent == large);
  CHECK(!MPI_Type_size(type, &flag) && flag == MPI_UNDEFINED);
  CHECK(!MPI_Type_get_extent_c(type, &lower, &extent) && lower == 0 && extent == large);
  CHECK(!MPI_Type_get_true_extent_c(type, &lower, &extent) && lower == 0 && extent == large);
  MPI_Count found[3];
  int combiner;
  CHECK(!MPI_Type_get_envelope_c(type, &found[0], &found[1], &counts[0], &found[2], &combiner));
  CHECK(combiner == MPI_COMBINER_CONTIGUOUS && counts[0] == 1 && found[0] == 0 && found[2] == 1);
  CHECK(!MPI_Type_get_contents_c(type, 0, 0, 1, 1, NULL, NULL, counts, &inner) && counts[0] == large);
  CHECK(inner == MPI_CHAR);
  /* A type with such counts cannot be told in integers. */
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  code = MPI_Type_get_contents(type, 1, 0, 1, &flag, NULL, &inner);
  CHECK(!MPI_Error_class(code, &class) && class != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&type);
}

static void bounds(void) {
  MPI_Datatype type, vector;
  MPI_Aint lower, extent;
  MPI_Count lower_x, extent_x;
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
  MPI_Type_create_resized(vector, -8, 48, &type);
  CHECK(!MPI_Type_get_extent(type, &lower, &extent) && lower == -8 && extent == 48);
  CHECK(!MPI_Type_get_true_extent(type, &lower, &extent) && lower == 0 && extent == 32);
  CHECK(!MPI_Type_get_extent_x(type, &lower_x, &extent_x) && lower_x == -8 && extent_x == 48);
  CHECK(!MPI_Type_get_true_extent_x(type, &lower_x, &extent_x) && lower_x == 0 && extent_x == 32);
  MPI_Type_free(&type);
  MPI_Type_free(&vector);
}

static void names_and_sizes(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length, bytes;
  MPI_Datatype type;
  CHECK(!MPI_Type_get_name(MPI_DOUBLE, name, &length) && strcmp(name, "MPI_DOUBLE") == 0 && length == 10);
  MPI_Type_contiguous(2, MPI_INT, &type);
  CHECK(!MPI_Type_get_name(type, name, &length) && length == 0);
  CHECK(!MPI_Type_set_name(type, "pair"));
  CHECK(!MPI_Type_get_name(type, name, &length) && strcmp(name, "pair") == 0 && length == 4);
  MPI_Type_free(&type);
  CHECK(!MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type) && !MPI_Type_size(type, &bytes) && bytes == 8);
  CHECK(!MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type) && !MPI_Type_size(type, &bytes) && bytes == 2);
  CHECK(!MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type) && !MPI_Type_size(type, &bytes) && bytes == 16);
  CHECK(!MPI_Type_create_f90_integer(9, &type) && !MPI_Type_size(type, &bytes) && bytes == 4);
  CHECK(!MPI_Type_create_f90_real(15, 300, &type) && !MPI_Type_size(type, &bytes) && bytes == 8);
  CHECK(!MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &type) && !MPI_Type_size(type, &bytes) && bytes == 8);
  CHECK(!MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type) && type == MPI_DOUBLE_INT);
}

static int copies, deletions;
static int copy_attribute(MPI_Datatype type, int keyval, void* extra, void* in, void* out, int* flag) {
  CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && extra == &copies);
  *(void**)out = (char*)in + 1;
  ++copies;
  *flag = 1;
  return MPI_SUCCESS;
}
static int delete_attribute(MPI_Datatype type, int keyval, void* value, void* extra) {
  CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && value != NULL && extra == &copies);
  ++deletions;
  return MPI_SUCCESS;
}

static void attributes(void) {
  static char values[4];
  int keyval, flag;
  void* got;
  MPI_Datatype type, dup;
  CHECK(!MPI_Type_create_keyval(copy_attribute, delete_attribute, &keyval, &copies));
  MPI_Type_contiguous(2, MPI_INT, &type);
  CHECK(!MPI_Type_get_attr(type, keyval, &got, &flag) && !flag);
  CHECK(!MPI_Type_set_attr(type, keyval, values));
  CHECK(!MPI_Type_get_attr(type, keyval, &got, &flag) && flag && got == values);
  CHECK(!MPI_Type_dup(type, &dup) && copies == 1);
  CHECK(!MPI_Type_get_attr(dup, keyval, &got, &flag) && flag && got == values + 1);
  CHECK(!MPI_Type_delete_attr(type, keyval) && deletions == 1);
  CHECK(!MPI_Type_get_attr(type, keyval, &got, &flag) && !flag);
  MPI_Type_free(&type);
  CHECK(deletions == 1);
  MPI_Type_free(&dup);
  CHECK(deletions == 2);
  CHECK(!MPI_Type_free_keyval(&keyval) && keyval == MPI_KEYVAL_INVALID);
}

/* A message that ends within an element of the receiver's type. */
static void elements(void) {
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, 8};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, pair;
  struct {
    int first;
    double second;
  } out[2] = {{rank, 1.5}, {rank + 1, 2.5}}, in[4];
  MPI_Status status;
  MPI_Count large;
  int count;
  MPI_Type_create_struct(2, lengths, places, types, &pair);
  MPI_Type_commit(&pair);
  MPI_Sendrecv(out, 2, pair, next, 0, in, 4, pair, last, 0, MPI_COMM_WORLD, &status);
  CHECK(!MPI_Get_count(&status, pair, &count) && count == 2 && in[1].first == last + 1 && in[1].second == 2.5);
  CHECK(!MPI_Get_elements(&status, pair, &count) && count == 4);
  MPI_Sendrecv(out, 1, MPI_INT, next, 0, in, 4, pair, last, 0, MPI_COMM_WORLD, &status);
  CHECK(!MPI_Get_count(&status, pair, &count) && count == MPI_UNDEFINED);
  CHECK(!MPI_Get_elements(&status, pair, &count) && count == 1);
  CHECK(!MPI_Get_elements_x(&status, pair, &large) && large == 1);
  CHECK(!MPI_Get_elements_c(&status, pair, &large) && large == 1);
  CHECK(!MPI_Get_count_c(&status, MPI_INT, &large) && large == 1);
  MPI_Type_free(&pair);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  contents();
  large_contents();
  bounds();
  names_and_sizes();
  attributes();
  elements();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators made of others: splits down to one rank, duplicates, groups, names, hints. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size;

static int sum_of(MPI_Comm comm, int value) {
  int sum;
  CHECK(!MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm));
  return sum;
}

/* Halves until one rank is left; messages of the levels have the same tags. */
static void halve(MPI_Comm comm, int depth) {
  int me, ranks, result, got;
  MPI_Comm half, copy;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  CHECK(sum_of(comm, 1) == ranks);
  CHECK(!MPI_Comm_dup(comm, &copy));
  CHECK(!MPI_Comm_compare(comm, copy, &result) && result == MPI_CONGRUENT);
  CHECK(!MPI_Comm_compare(copy, copy, &result) && result == MPI_IDENT);
  int first = depth * 100 + 1, second = depth * 100 + 2;
  MPI_Request sends[2];
  CHECK(!MPI_Isend(&first, 1, MPI_INT, (me + 1) % ranks, 0, comm, &sends[0]));
  CHECK(!MPI_Isend(&second, 1, MPI_INT, (me + 1) % ranks, 0, copy, &sends[1]));
  CHECK(!MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, copy, MPI_STATUS_IGNORE) && got == second);
  CHECK(!MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE) && got == first);
  CHECK(!MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
  if (ranks > 1) {
    const int upper = me >= (ranks + 1) / 2;
    CHECK(!MPI_Comm_split(copy, upper, -me, &half));
    int in_half;
    MPI_Comm_rank(half, &in_half);
    CHECK(in_half == (upper ? ranks - 1 - me : (ranks + 1) / 2 - 1 - me));
    halve(half, depth + 1);
    CHECK(!MPI_Comm_free(&half) && half == MPI_COMM_NULL);
  }
  CHECK(!MPI_Comm_free(&copy));
}

static void splits(void) {
  MPI_Comm part;
  int result;
  CHECK(!MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 3, 0, &part));
  CHECK((part == MPI_COMM_NULL) == (rank == 0));
  if (rank != 0) {
    CHECK(sum_of(part, 1) == size - 1);
    MPI_Comm_free(&part);
  }
  CHECK(!MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
  CHECK(!MPI_Comm_compare(part, MPI_COMM_WORLD, &result) && result == MPI_CONGRUENT); /* one host */
  MPI_Comm_free(&part);
  CHECK(!MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &part) && part == MPI_COMM_NULL);
}

/* Many at once, of two communicators in turn. */
static void idups(void) {
  enum { COPIES = 8 };
  MPI_Comm copies[COPIES], reversed;
  MPI_Request requests[COPIES];
  int sent[COPIES];
  CHECK(!MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed));
  for (int i = 0; i < COPIES; ++i) CHECK(!MPI_Comm_idup(i % 2 ? reversed : MPI_COMM_WORLD, &copies[i], &requests[i]));
  CHECK(!MPI_Waitall(COPIES, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < COPIES; ++i) {
    sent[i] = i;
    CHECK(!MPI_Isend(&sent[i], 1, MPI_INT, 0, 0, copies[i], &requests[i]));
  }
  for (int i = COPIES; i-- > 0;) {
    int me, got;
    MPI_Comm_rank(copies[i], &me);
    CHECK(me == (i % 2 ? size - 1 - rank : rank));
    for (int from = 0; me == 0 && from < size; ++from)
      CHECK(!MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, copies[i], MPI_STATUS_IGNORE) && got == i);
    CHECK(!MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    CHECK(sum_of(copies[i], i) == i * size);
    MPI_Comm_free(&copies[i]);
  }
  MPI_Comm_free(&reversed);
}

static void of_groups(void) {
  MPI_Group world, odd, even, both;
  MPI_Comm made;
  int result, ranges[1][3] = {{0, size - 1, 2}}, me, members;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  CHECK(!MPI_Group_range_incl(world, 1, ranges, &even));
  CHECK(!MPI_Group_difference(world, even, &odd));
  CHECK(!MPI_Group_union(even, odd, &both));
  CHECK(!MPI_Group_compare(both, world, &result) && result == (size <= 2 ? MPI_IDENT : MPI_SIMILAR));
  CHECK(!MPI_Group_size(odd, &members) && members == size / 2);
  CHECK((odd == MPI_GROUP_EMPTY) == (size == 1));
  MPI_Group mine = rank % 2 ? odd : even;
  CHECK(!MPI_Group_rank(mine, &me) && me == rank / 2);

  /* All together, then two groups side by side, then one group alone. */
  CHECK(!MPI_Comm_create(MPI_COMM_WORLD, even, &made));
  CHECK((made == MPI_COMM_NULL) == (rank % 2 == 1));
  if (made != MPI_COMM_NULL) {
    CHECK(sum_of(made, 1) == (size + 1) / 2);
    MPI_Comm_free(&made);
  }
  CHECK(!MPI_Comm_create(MPI_COMM_WORLD, mine, &made));
  CHECK(sum_of(made, rank % 2) == (rank % 2 ? size / 2 : 0));
  MPI_Comm_free(&made);
  if (rank % 2 == 0) {
    CHECK(!MPI_Comm_create_group(MPI_COMM_WORLD, even, 17, &made));
    CHECK(sum_of(made, 1) == (size + 1) / 2);
    CHECK(!MPI_Comm_disconnect(&made) && made == MPI_COMM_NULL);
  }
  CHECK(!MPI_Comm_create_from_group(mine, "by hand", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
  CHECK(!MPI_Comm_rank(made, &me) && me == rank / 2);
  CHECK(sum_of(made, 1) == (rank % 2 ? size / 2 : (size + 1) / 2));
  MPI_Comm_free(&made);
  MPI_Group_free(&both);
  MPI_Group_free(&even);
  MPI_Group_free(&odd);
  MPI_Group_free(&world);
  CHECK(world == MPI_GROUP_NULL);
}

/* Of the hints it was made with, a communicator has the one that the standard knows. */
static void free_with_hint(MPI_Comm* made) {
  char value[16];
  int length = sizeof value, flag;
  MPI_Info used;
  CHECK(!MPI_Comm_get_info(*made, &used));
  CHECK(!MPI_Info_get_string(used, "colour", &length, value, &flag) && !flag);
  length = sizeof value;
  CHECK(!MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, value, &flag) && flag && !strcmp(value, "true"));
  MPI_Info_free(&used);
  MPI_Comm_free(made);
}

static void names_and_hints(void) {
  char name[MPI_MAX_OBJECT_NAME];
  const int one = 1;
  int length;
  MPI_Comm copy, made;
  MPI_Info info;
  CHECK(!MPI_Comm_get_name(MPI_COMM_WORLD, name, &length) && strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
  CHECK(!MPI_Comm_get_name(MPI_COMM_SELF, name, &length) && strcmp(name, "MPI_COMM_SELF") == 0);
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "blue");
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  CHECK(!MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy));
  CHECK(!MPI_Comm_get_name(copy, name, &length) && length == 0 && name[0] == 0);
  CHECK(!MPI_Comm_set_name(copy, "the copy"));
  CHECK(!MPI_Comm_get_name(copy, name, &length) && strcmp(name, "the copy") == 0);
  free_with_hint(&copy);
  CHECK(!MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &made));
  free_with_hint(&made);
  CHECK(!MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, info, &made) && made == MPI_COMM_NULL);
  CHECK(!MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &rank, MPI_UNWEIGHTED, info, 0, &made));
  free_with_hint(&made);
  CHECK(!MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED, info, 0,
                                        &made));
  free_with_hint(&made);
  MPI_Info_free(&info);
}

static void errors(void) {
  static int all[100];
  int dims[1];
  MPI_Comm copy, dangling, grid;
  int value, class, code;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Bcast(&value, 1, MPI_INT, size, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_ROOT);
  code = MPI_Bcast(&value, -1, MPI_INT, 0, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_COUNT);
  code = MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_TYPE);
  code = MPI_Allreduce(&value, &class, 1, MPI_DOUBLE, MPI_BAND, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_OP);
  code = MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_SUM, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_BUFFER);
  /* One's own block from where it goes: nothing has begun, so that the call can be made again as it should be. */
  code = MPI_Allgather(&all[rank], 1, MPI_INT, all, 1, MPI_INT, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_BUFFER);
  if (rank == 0) {
    code = MPI_Gather(&value, 1, MPI_INT, &value, 1, MPI_INT, 0, copy);
    CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_BUFFER);
  }
  code = MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_BUFFER);
  code = MPI_Recv(MPI_IN_PLACE, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_BUFFER);
  value = 3;
  CHECK(!MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, copy));
  for (int i = 0; rank == 0 && i < size; ++i) CHECK(all[i] == 3);
  /* What could not be made is null. */
  dims[0] = size + 1;
  grid = copy;
  CHECK(MPI_Cart_create(copy, 1, dims, dims, 0, &grid) != MPI_SUCCESS && grid == MPI_COMM_NULL);
  dangling = copy;
  MPI_Comm_free(&copy);
  code = MPI_Barrier(dangling);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_COMM);
  code = MPI_Comm_free(&copy);
  CHECK(!MPI_Error_class(code, &class) && class == MPI_ERR_COMM);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static int returns_errors(MPI_Comm comm) {
  MPI_Errhandler handler;
  return !MPI_Comm_get_errhandler(comm, &handler) && handler == MPI_ERRORS_RETURN && !MPI_Errhandler_free(&handler);
}

/* No PE's ranks are neighbours in the first: those of one key keep its order. */
static void order_and_handler_of_the_parent(void) {
  MPI_Comm turned, same, between, merged;
  int result;
  CHECK(!MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * size - rank, &turned));
  CHECK(!MPI_Comm_set_errhandler(turned, MPI_ERRORS_RETURN) && !MPI_Comm_split(turned, 0, 0, &same));
  CHECK(!MPI_Comm_compare(turned, same, &result) && result == MPI_CONGRUENT && returns_errors(same));
  if (rank < 2 && size > 1) {
    CHECK(!MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 8, &between));
    CHECK(!MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN) && !MPI_Intercomm_merge(between, rank == 0, &merged));
    CHECK(!MPI_Comm_rank(merged, &result) && result == 1 - rank && returns_errors(merged));
    MPI_Comm_free(&between);
    MPI_Comm_free(&merged);
  }
  MPI_Comm_free(&same);
  MPI_Comm_free(&turned);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  halve(MPI_COMM_WORLD, 0);
  splits();
  idups();
  of_groups();
  names_and_hints();
  order_and_handler_of_the_parent();
  if (argc < 2) errors();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

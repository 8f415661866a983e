/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of communicators: copied and deleted by functions of the program, and those of the standard. */
#include <string.h>

#include "check.h"

static int copies, deletions, refuse;

static int copy_plus_one(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && extra == &copies);
  ++copies;
  *(void**)out = (char*)in + 1;
  *flag = 1;
  return MPI_SUCCESS;
}
static int copy_nothing(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
  *flag = 0;
  return MPI_SUCCESS;
}
static int count_deletion(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  if (refuse) return MPI_ERR_OTHER;
  ++deletions;
  return MPI_SUCCESS;
}
static int at_the_end(MPI_Comm comm, int keyval, void* value, void* extra) {
  int rank, is_finalized = 1;
  (void)keyval, (void)extra;
  CHECK(comm == MPI_COMM_SELF);
  CHECK(!MPI_Finalized(&is_finalized) && !is_finalized);
  CHECK(!MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 0) printf("deleted at the end: %d\n", *(int*)value);
  return MPI_SUCCESS;
}

static void copied_and_deleted(void) {
  int plus_one, none, same, flag;
  char memory[8];
  void* value;
  MPI_Comm comm, copy, idup;
  MPI_Request request;
  CHECK(!MPI_Comm_create_keyval(copy_plus_one, count_deletion, &plus_one, &copies));
  CHECK(!MPI_Comm_create_keyval(copy_nothing, MPI_COMM_NULL_DELETE_FN, &none, NULL));
  CHECK(!MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &same, NULL));
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK(!MPI_Comm_get_attr(comm, plus_one, &value, &flag) && !flag);
  CHECK(!MPI_Comm_set_attr(comm, plus_one, memory));
  CHECK(!MPI_Comm_set_attr(comm, none, memory));
  CHECK(!MPI_Comm_set_attr(comm, same, memory + 5));
  CHECK(!MPI_Comm_dup(comm, &copy) && copies == 1);
  CHECK(!MPI_Comm_idup(copy, &idup, &request) && copies == 2);
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(!MPI_Comm_get_attr(copy, plus_one, &value, &flag) && flag && value == memory + 1);
  CHECK(!MPI_Comm_get_attr(idup, plus_one, &value, &flag) && flag && value == memory + 2);
  CHECK(!MPI_Comm_get_attr(copy, none, &value, &flag) && !flag);
  CHECK(!MPI_Comm_get_attr(idup, same, &value, &flag) && flag && value == memory + 5);
  CHECK(!MPI_Comm_set_attr(copy, plus_one, memory) && deletions == 1);
  CHECK(!MPI_Comm_delete_attr(copy, same) && deletions == 2);
  CHECK(!MPI_Comm_get_attr(copy, same, &value, &flag) && !flag);
  /* A key that is freed stays with the attributes that have it. */
  CHECK(!MPI_Comm_free_keyval(&plus_one) && plus_one == MPI_KEYVAL_INVALID);
  CHECK(!MPI_Comm_free(&copy) && deletions == 3);
  CHECK(!MPI_Comm_free(&idup) && deletions == 5);
  /* A function that fails keeps the communicator. */
  refuse = 1;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  CHECK(MPI_Comm_free(&comm) != MPI_SUCCESS && comm != MPI_COMM_NULL);
  refuse = 0;
  CHECK(!MPI_Comm_free(&comm) && comm == MPI_COMM_NULL && deletions == 7);
  CHECK(!MPI_Comm_free_keyval(&none) && !MPI_Comm_free_keyval(&same));
}

static void of_the_standard(void) {
  int flag, *value;
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag) && flag && *value >= 32767);
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag) && flag && (*value == 0 || *value == 1));
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag) && (!flag || *value >= size_of_world()));
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag) && flag && *value >= MPI_ERR_LASTCODE);
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag) && (!flag || *value >= 0));
  CHECK(!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag) && flag);
}

int main(int argc, char** argv) {
  static int end = 42;
  int keyval;
  MPI_Init(&argc, &argv);
  copied_and_deleted();
  of_the_standard();
  CHECK(!MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &keyval, NULL));
  CHECK(!MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &end));
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

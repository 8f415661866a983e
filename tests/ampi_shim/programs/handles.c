/* SPDX-License-Identifier: Apache-2.0 */
/* Handles as integers and back; groups; operations; functions of MPI-1 that old programs call. Any number of ranks. */
#include <stdlib.h>

#include "check.h"

static int rank, size;

/* There and back, and in the same integer each time. */
#define SAME(what, handle)                                                               \
  do {                                                                                   \
    const MPI_Fint integer = MPI_##what##_c2f(handle);                                   \
    CHECK(MPI_##what##_f2c(integer) == (handle) && MPI_##what##_c2f(handle) == integer); \
    CHECK(MPI_##what##_fromint(MPI_##what##_toint(handle)) == (handle));                 \
  } while (0)

static void check_integers(void) {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Group group;
  MPI_Info info;
  MPI_Request request;
  MPI_Message message;
  int value = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Comm_group(comm, &group);
  MPI_Info_create(&info);
  MPI_Recv_init(&value, 1, MPI_INT, 0, 0, comm, &request);
  SAME(Comm, comm);
  SAME(Comm, MPI_COMM_WORLD);
  SAME(Type, type);
  SAME(Type, MPI_DOUBLE);
  SAME(Group, group);
  SAME(Info, info);
  SAME(Request, request);
  SAME(Op, MPI_SUM);
  SAME(Errhandler, MPI_ERRORS_RETURN);
  SAME(Session, MPI_SESSION_NULL);
  SAME(File, MPI_FILE_NULL);
  SAME(Win, MPI_WIN_NULL);
  MPI_Request send;
  MPI_Isend(&rank, 1, MPI_INT, rank, 1, comm, &send);
  MPI_Mprobe(rank, 1, comm, &message, MPI_STATUS_IGNORE);
  SAME(Message, message);
  MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK(value == rank && MPI_Message_c2f(MPI_MESSAGE_NULL) == MPI_Message_c2f(message));
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Info_free(&info);
  MPI_Group_free(&group);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
}

static void groups(void) {
  MPI_Group world, without, low, high, both;
  int count, result, of_world[] = {0, MPI_PROC_NULL}, there[2], first = 0, ranges[1][3] = {{size - 1, 0, -2}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  CHECK(!MPI_Group_excl(world, 1, &first, &without) && !MPI_Group_size(without, &count) && count == size - 1);
  CHECK(!MPI_Group_translate_ranks(world, 2, of_world, without, there));
  CHECK(there[0] == MPI_UNDEFINED && there[1] == MPI_PROC_NULL);
  of_world[0] = size - 1;
  CHECK(!MPI_Group_translate_ranks(world, 1, of_world, without, there));
  CHECK(there[0] == (size == 1 ? MPI_UNDEFINED : size - 2));
  CHECK(!MPI_Group_range_excl(world, 1, ranges, &low) && !MPI_Group_range_incl(world, 1, ranges, &high));
  CHECK(!MPI_Group_size(low, &count) && count == size / 2 && !MPI_Group_size(high, &count) && count == size - size / 2);
  CHECK(!MPI_Group_intersection(low, high, &both) && !MPI_Group_compare(both, MPI_GROUP_EMPTY, &result));
  CHECK(result == MPI_IDENT);
  MPI_Group_free(&both);
  CHECK(!MPI_Group_intersection(world, high, &both) && !MPI_Group_compare(both, high, &result));
  CHECK(result == (size <= 2 ? MPI_IDENT : MPI_SIMILAR)); /* in the order of the first */
  MPI_Group_free(&both);
  MPI_Group_free(&high);
  MPI_Group_free(&low);
  MPI_Group_free(&without);
  MPI_Group_free(&world);
}

/* Which of the two comes first counts. */
static void take_left(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == MPI_INT);
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] = ((int*)in)[i];
}
static void add(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
  CHECK(*type == MPI_INT);
  for (MPI_Count i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void operations(void) {
  MPI_Op left, sum;
  int flag, values[2] = {rank, rank + 1}, got[2] = {5, 6};
  CHECK(!MPI_Op_create(take_left, 0, &left) && !MPI_Op_create_c(add, 1, &sum));
  CHECK(!MPI_Op_commutative(left, &flag) && !flag && !MPI_Op_commutative(sum, &flag) && flag);
  CHECK(!MPI_Op_commutative(MPI_MAX, &flag) && flag);
  CHECK(!MPI_Reduce_local(values, got, 2, MPI_INT, MPI_SUM) && got[0] == rank + 5 && got[1] == rank + 7);
  CHECK(!MPI_Reduce_local(values, got, 2, MPI_INT, left) && got[0] == rank && got[1] == rank + 1);
  CHECK(!MPI_Reduce_local_c(values, got, 2, MPI_INT, sum) && got[0] == 2 * rank && got[1] == 2 * rank + 2);
  CHECK(!MPI_Allreduce(values, got, 2, MPI_INT, left, MPI_COMM_WORLD) && got[0] == 0 && got[1] == 1);
  CHECK(!MPI_Allreduce_c(values, got, 2, MPI_INT, sum, MPI_COMM_WORLD) && got[0] == size * (size - 1) / 2);
  CHECK(!MPI_Op_free(&left) && !MPI_Op_free(&sum) && sum == MPI_OP_NULL);
}

/* What is freed is told of also when others of its kind have been made since, as many as there was room for. */
enum { kOthers = 200 };
#define TOLD_FREED(Type, error, make, use, end)        \
  do {                                                 \
    Type object, stale, others[kOthers];               \
    make(object);                                      \
    stale = object;                                    \
    CHECK(!end(&object));                              \
    for (int i = 0; i < kOthers; ++i) make(others[i]); \
    CHECK(use(stale) == (error));                      \
    CHECK(end(&stale) == (error));                     \
    for (int i = 0; i < kOthers; ++i) {                \
      CHECK(!use(others[i]));                          \
      CHECK(!end(&others[i]));                         \
    }                                                  \
  } while (0)

static int ignored;
static MPI_Group everybody;
static void count_error(MPI_Comm* comm, int* code, ...);
#define MAKE_GROUP(group) MPI_Group_incl(everybody, 1, &ignored, &(group))
#define USE_GROUP(group) MPI_Group_size(group, &ignored_size)
#define MAKE_INFO(info) MPI_Info_create(&(info))
#define USE_INFO(info) MPI_Info_set(info, "key", "value")
#define MAKE_TYPE(type) (MPI_Type_contiguous(2, MPI_INT, &(type)), MPI_Type_commit(&(type)))
#define USE_TYPE(type) MPI_Type_size(type, &ignored_size)
#define MAKE_OP(op) MPI_Op_create(add_two, 1, &(op))
#define USE_OP(op) MPI_Op_commutative(op, &ignored_size)
#define MAKE_HANDLER(handler) MPI_Comm_create_errhandler(count_error, &(handler))
#define USE_HANDLER(handler) use_handler(handler)
#define MAKE_COMM(comm) MPI_Comm_dup(MPI_COMM_SELF, &(comm))
#define USE_COMM(comm) MPI_Comm_rank(comm, &ignored_size)
#define MAKE_REQUEST(request) MPI_Irecv(two, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &(request))
#define USE_REQUEST(request) MPI_Request_get_status(request, &ignored_size, MPI_STATUS_IGNORE)
#define WAIT(request) MPI_Wait(request, MPI_STATUS_IGNORE)

static int two[2], ignored_size;
static void add_two(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(in != inout && *count >= 0 && *type != MPI_DATATYPE_NULL);
}
static int use_handler(MPI_Errhandler handler) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  const int code = MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_free(&comm);
  return code;
}

static void freed(void) {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  TOLD_FREED(MPI_Group, MPI_ERR_GROUP, MAKE_GROUP, USE_GROUP, MPI_Group_free);
  TOLD_FREED(MPI_Info, MPI_ERR_INFO, MAKE_INFO, USE_INFO, MPI_Info_free);
  TOLD_FREED(MPI_Datatype, MPI_ERR_TYPE, MAKE_TYPE, USE_TYPE, MPI_Type_free);
  TOLD_FREED(MPI_Op, MPI_ERR_OP, MAKE_OP, USE_OP, MPI_Op_free);
  TOLD_FREED(MPI_Errhandler, MPI_ERR_ERRHANDLER, MAKE_HANDLER, USE_HANDLER, MPI_Errhandler_free);
  TOLD_FREED(MPI_Comm, MPI_ERR_COMM, MAKE_COMM, USE_COMM, MPI_Comm_free);
  TOLD_FREED(MPI_Request, MPI_ERR_REQUEST, MAKE_REQUEST, USE_REQUEST, WAIT);
  MPI_Group_free(&everybody);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static int errors;
static void count_error(MPI_Comm* comm, int* code, ...) {
  CHECK(*comm == MPI_COMM_WORLD && *code != MPI_SUCCESS);
  ++errors;
}

static void removed(void) {
  int lengths[] = {1, 1}, keyval, flag;
  MPI_Aint places[] = {0, 8}, address, extent, bound;
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, pair, spaced, listed;
  MPI_Errhandler handler, before;
  void* value;
  CHECK(!MPI_Address(lengths, &address) && address == (MPI_Aint)lengths);
  CHECK(!MPI_Type_struct(2, lengths, places, types, &pair) && !MPI_Type_extent(pair, &extent) && extent == 16);
  CHECK(!MPI_Type_lb(pair, &bound) && bound == 0 && !MPI_Type_ub(pair, &bound) && bound == 16);
  CHECK(!MPI_Type_hvector(3, 1, 24, pair, &spaced) && !MPI_Type_extent(spaced, &extent) && extent == 64);
  CHECK(!MPI_Type_hindexed(2, lengths, places, MPI_INT, &listed) && !MPI_Type_extent(listed, &extent) && extent == 12);
  MPI_Type_free(&listed);
  MPI_Type_free(&spaced);
  MPI_Type_free(&pair);
  CHECK(!MPI_Errhandler_get(MPI_COMM_WORLD, &before) && !MPI_Errhandler_create(count_error, &handler));
  CHECK(!MPI_Errhandler_set(MPI_COMM_WORLD, handler));
  CHECK(MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS && errors == 1);
  CHECK(!MPI_Errhandler_set(MPI_COMM_WORLD, before) && !MPI_Errhandler_free(&handler) && !MPI_Errhandler_free(&before));
  CHECK(!MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyval, NULL));
  CHECK(!MPI_Attr_put(MPI_COMM_SELF, keyval, &errors));
  CHECK(!MPI_Attr_get(MPI_COMM_SELF, keyval, &value, &flag) && flag && value == &errors);
  CHECK(!MPI_Attr_delete(MPI_COMM_SELF, keyval) && !MPI_Attr_get(MPI_COMM_SELF, keyval, &value, &flag) && !flag);
  CHECK(!MPI_Keyval_free(&keyval) && keyval == MPI_KEYVAL_INVALID);
}

static void hints(void) {
  MPI_Info info, used;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
  CHECK(!MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &request) && !MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(!MPI_Comm_set_info(copy, info) && !MPI_Comm_get_info(copy, &used) && used != MPI_INFO_NULL);
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  int provided, flag;
  CHECK(!MPI_Initialized(&flag) && !flag);
  CHECK(!MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) && provided >= MPI_THREAD_SINGLE);
  CHECK(!MPI_Initialized(&flag) && flag && !MPI_Query_thread(&flag) && flag == provided);
  CHECK(!MPI_Is_thread_main(&flag) && flag && !MPI_Pcontrol(1));
  rank = rank_of_world();
  size = size_of_world();
  check_integers();
  groups();
  operations();
  removed();
  hints();
  freed();
  if (rank == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

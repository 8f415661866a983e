/* SPDX-License-Identifier: Apache-2.0 */
/* Error classes, codes, strings and handlers, of each rank its own. Any number of ranks. */
#include <string.h>

#include "tests/ampi_shim/programs/check.h"

static int calls, last_code;
static MPI_Comm last_comm;

static void count_call(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last_comm = *comm;
  last_code = *code;
}

static void count_session_call(MPI_Session* session, int* code, ...) {
  ++calls;
  last_comm = MPI_COMM_NULL;
  last_code = session != NULL ? *code : MPI_SUCCESS;
}

static const char* text_of(int code) {
  static char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  CHECK(MPI_Error_string(code, text, &length) == MPI_SUCCESS);
  CHECK(length == (int)strlen(text) && length > 0);
  return text;
}

static void predefined_codes(void) {
  int error_class = -1;
  for (int code = MPI_SUCCESS; code <= MPI_ERR_ABI; ++code) {
    CHECK(MPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == code);
    text_of(code);
  }
  CHECK(strstr(text_of(MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE") != NULL);
  CHECK(strstr(text_of(MPI_T_ERR_INVALID_INDEX), "MPI_T_ERR_INVALID_INDEX") != NULL);
  CHECK(MPI_Error_class(-1, &error_class) == MPI_ERR_ARG);
  CHECK(MPI_Error_class(MPI_ERR_ABI + 1, &error_class) == MPI_ERR_ARG);
}

static void added_codes(void) {
  int made_class, code, other_code, error_class, *last_used, flag;
  CHECK(MPI_Add_error_class(&made_class) == MPI_SUCCESS && made_class > MPI_ERR_LASTCODE);
  CHECK(MPI_Add_error_code(made_class, &code) == MPI_SUCCESS && code > made_class);
  CHECK(MPI_Add_error_code(MPI_ERR_RANK, &other_code) == MPI_SUCCESS);
  CHECK(MPI_Add_error_code(code, &flag) == MPI_ERR_ARG); /* a code is no class */
  CHECK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last_used, &flag) == MPI_SUCCESS && flag);
  CHECK(*last_used == other_code);
  CHECK(MPI_Error_class(code, &error_class) == MPI_SUCCESS && error_class == made_class);
  CHECK(MPI_Error_class(made_class, &error_class) == MPI_SUCCESS && error_class == made_class);
  CHECK(MPI_Error_class(other_code, &error_class) == MPI_SUCCESS && error_class == MPI_ERR_RANK);
  CHECK(MPI_Add_error_string(code, "the moon is full") == MPI_SUCCESS);
  CHECK(strcmp(text_of(code), "the moon is full") == 0);
  CHECK(MPI_Add_error_string(MPI_ERR_RANK, "mine") == MPI_ERR_ARG);

  CHECK(MPI_Remove_error_class(made_class) == MPI_ERR_ARG); /* it has a code */
  CHECK(MPI_Remove_error_code(code) == MPI_ERR_ARG);        /* which has a string */
  CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
  CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
  CHECK(MPI_Remove_error_class(made_class) == MPI_SUCCESS);
  CHECK(MPI_Error_class(made_class, &error_class) == MPI_ERR_ARG);
}

static void returned_errors(void) {
  int value = 0;
  CHECK(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
  CHECK(strstr(text_of(MPI_ERR_COUNT), "MPI_Send") != NULL); /* where it was last */
  CHECK(strstr(text_of(MPI_ERR_TAG), "MPI_Send") == NULL);
  CHECK(MPI_Send(&value, 1, MPI_INT, 1 << 30, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  CHECK(MPI_Send(&value, 1, MPI_INT, 0, -7, MPI_COMM_WORLD) == MPI_ERR_TAG);
  CHECK(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
  CHECK(MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(strstr(text_of(MPI_ERR_BUFFER), "MPI_IN_PLACE") != NULL);
  CHECK(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(strstr(text_of(MPI_ERR_BUFFER), "null pointer") != NULL);
  CHECK(MPI_Comm_rank(MPI_COMM_NULL, &value) == MPI_ERR_COMM);
  CHECK(MPI_Comm_rank((MPI_Comm)0x7777, &value) == MPI_ERR_COMM);
}

/* Elements need memory; no elements need none, and MPI_BOTTOM is right where the type has addresses. */
static void null_buffers(void) {
  int value = 1, result = 0, rank, size, position = 0, counts[64], starts[64];
  char packed[8];
  MPI_Datatype types[64], pair, here;
  MPI_Request request = MPI_REQUEST_NULL;
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS);
  for (int each = 0; each < 64; ++each) counts[each] = 1, starts[each] = each, types[each] = MPI_INT;
  CHECK(MPI_Type_contiguous(2, MPI_INT, &pair) == MPI_SUCCESS && MPI_Type_commit(&pair) == MPI_SUCCESS);
  CHECK(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Send(NULL, 1, pair, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce(&value, NULL, 1, MPI_INT, MPI_SUM, rank, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Allreduce(&value, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Iallreduce(&value, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request) == MPI_ERR_BUFFER);
  CHECK(MPI_Scan(&value, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce_scatter(counts, NULL, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce_scatter_block(counts, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce_local(&value, NULL, 1, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce_local(NULL, &value, 1, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER);
  CHECK(MPI_Gatherv(&value, 1, MPI_INT, NULL, counts, starts, MPI_INT, rank, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Allgatherv(&value, 1, MPI_INT, NULL, counts, starts, MPI_INT, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Alltoallv(counts, counts, starts, MPI_INT, NULL, counts, starts, MPI_INT, MPI_COMM_WORLD) ==
        MPI_ERR_BUFFER);
  CHECK(MPI_Alltoallw(counts, counts, starts, types, NULL, counts, starts, types, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Pack(NULL, 1, MPI_INT, packed, 8, &position, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Pack(&value, 1, MPI_INT, NULL, 8, &position, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  CHECK(MPI_Unpack(NULL, 8, &position, &value, 1, MPI_INT, MPI_COMM_WORLD) == MPI_ERR_BUFFER && position == 0);

  /* exscan gives nothing to the first rank; others may need nothing */
  CHECK(MPI_Exscan(&value, rank == 0 ? NULL : &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(result == rank);
  CHECK(MPI_Reduce(&value, rank == size - 1 ? &result : NULL, 1, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD) ==
        MPI_SUCCESS);
  for (int each = 0; each < 64; ++each) counts[each] = 0;
  CHECK(MPI_Alltoallv(NULL, counts, starts, MPI_INT, NULL, counts, starts, MPI_INT, MPI_COMM_WORLD) == MPI_SUCCESS);
  const int one = 1;
  MPI_Aint address;
  CHECK(MPI_Get_address(&value, &address) == MPI_SUCCESS);
  CHECK(MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &here) == MPI_SUCCESS &&
        MPI_Type_commit(&here) == MPI_SUCCESS);
  value = rank == 0 ? 17 : 0;
  CHECK(MPI_Bcast(MPI_BOTTOM, 1, here, 0, MPI_COMM_WORLD) == MPI_SUCCESS && value == 17);
  CHECK(MPI_Pack(MPI_BOTTOM, 1, here, packed, 8, &position, MPI_COMM_WORLD) == MPI_SUCCESS && position == 4);
  CHECK(MPI_Type_free(&here) == MPI_SUCCESS && MPI_Type_free(&pair) == MPI_SUCCESS);
}

static int fail_to_tell(void* state, MPI_Status* status) {
  (void)status;
  return *(int*)state;
}
static int leave_alone(void* state) { return state == NULL ? MPI_ERR_OTHER : MPI_SUCCESS; }
static int cancel_nothing(void* state, int complete) { return complete ? MPI_SUCCESS : leave_alone(state); }

static void wrong_requests(void) {
  int value = 0, state = MPI_ERR_DIMS;
  MPI_Request kept, once, generalized, none = MPI_REQUEST_NULL;
  CHECK(MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &kept) == MPI_SUCCESS);
  CHECK(MPI_Start(&kept) == MPI_SUCCESS && MPI_Start(&kept) == MPI_ERR_REQUEST); /* it is active */
  value = 5;
  CHECK(MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF) == MPI_SUCCESS);
  CHECK(MPI_Wait(&kept, MPI_STATUS_IGNORE) == MPI_SUCCESS && MPI_Request_free(&kept) == MPI_SUCCESS);
  CHECK(MPI_Start(&none) == MPI_ERR_REQUEST);
  CHECK(MPI_Irecv(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &once) == MPI_SUCCESS);
  CHECK(MPI_Start(&once) == MPI_ERR_REQUEST);
  CHECK(MPI_Send(&state, 1, MPI_INT, 0, 9, MPI_COMM_SELF) == MPI_SUCCESS);
  CHECK(MPI_Wait(&once, MPI_STATUS_IGNORE) == MPI_SUCCESS && value == state);

  CHECK(MPI_Grequest_start(fail_to_tell, leave_alone, cancel_nothing, &state, &generalized) == MPI_SUCCESS);
  CHECK(MPI_Grequest_complete(generalized) == MPI_SUCCESS);
  CHECK(MPI_Wait(&generalized, MPI_STATUS_IGNORE) == MPI_ERR_DIMS && generalized == MPI_REQUEST_NULL);
}

static void handlers_of_the_program(void) {
  MPI_Errhandler handler, kept, got;
  MPI_Comm copy;
  int value = 0;
  CHECK(MPI_Comm_create_errhandler(count_call, &handler) == MPI_SUCCESS);
  kept = handler;
  CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(copy, handler) == MPI_SUCCESS);
  CHECK(MPI_Errhandler_free(&handler) == MPI_SUCCESS && handler == MPI_ERRHANDLER_NULL);

  calls = 0; /* the communicator still has it */
  CHECK(MPI_Send(&value, -1, MPI_INT, 0, 0, copy) == MPI_ERR_COUNT);
  CHECK(calls == 1 && last_code == MPI_ERR_COUNT && last_comm == copy);
  CHECK(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT && calls == 1);
  CHECK(MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER) == MPI_SUCCESS && calls == 2 && last_code == MPI_ERR_OTHER);

  CHECK(MPI_Comm_get_errhandler(copy, &got) == MPI_SUCCESS && got == kept);
  CHECK(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(copy, got) == MPI_SUCCESS); /* alive: the handle was given out again */
  CHECK(MPI_Errhandler_free(&got) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, kept) == MPI_ERR_ERRHANDLER);
  CHECK(MPI_Comm_free(&copy) == MPI_SUCCESS);

  CHECK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got) == MPI_SUCCESS && got == MPI_ERRORS_RETURN);
  CHECK(MPI_Errhandler_free(&got) == MPI_SUCCESS);
}

static void handlers_are_for_one_kind(void) {
  MPI_Errhandler of_sessions, of_files;
  CHECK(MPI_Session_create_errhandler(count_session_call, &of_sessions) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, of_sessions) == MPI_ERR_ERRHANDLER);
  CHECK(MPI_Errhandler_free(&of_sessions) == MPI_SUCCESS);
  CHECK(MPI_File_get_errhandler(MPI_FILE_NULL, &of_files) == MPI_SUCCESS && of_files == MPI_ERRORS_RETURN);
}

static void what_is_not_built(void) {
  MPI_File file;
  calls = 0;
  CHECK(MPI_Close_port("none") == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(strstr(text_of(MPI_ERR_UNSUPPORTED_OPERATION), "MPI_Close_port") != NULL);
  CHECK(MPI_File_open(MPI_COMM_SELF, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(strstr(text_of(MPI_ERR_UNSUPPORTED_OPERATION), "MPI_File_open") != NULL);
}

int main(void) {
  CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  predefined_codes();
  added_codes();
  returned_errors();
  null_buffers();
  wrong_requests();
  handlers_of_the_program();
  handlers_are_for_one_kind();
  what_is_not_built();
  CHECK(MPI_Finalize() == MPI_SUCCESS);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* MPI by sessions alone, without MPI_Init. Any number of ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check_that(!!(condition), #condition, __LINE__)

static void check_that(int holds, const char* condition, int line) {
  if (holds) return;
  fprintf(stderr, "sessions.c:%d: this does not hold: %s\n", line, condition);
  exit(99);
}

static int calls;
static void count_call(MPI_Session* session, int* code, ...) { calls += session != NULL && *code == MPI_ERR_ARG; }

static void process_sets(MPI_Session session) {
  char name[MPI_MAX_PSET_NAME_LEN], value[32];
  int sets = 0, length, flag;
  MPI_Group group;
  MPI_Info info;
  CHECK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets) == MPI_SUCCESS && sets >= 2);
  for (int i = 0; i < sets; ++i) {
    length = 0;
    CHECK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL) == MPI_SUCCESS && length > 1);
    CHECK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name) == MPI_SUCCESS);
    CHECK((int)strlen(name) + 1 == length);
    CHECK(MPI_Session_get_pset_info(session, name, &info) == MPI_SUCCESS);
    CHECK(MPI_Info_get(info, "mpi_size", 31, value, &flag) == MPI_SUCCESS && flag && atoi(value) >= 1);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
  }
  calls = 0;
  CHECK(MPI_Group_from_session_pset(session, "mpi://nobody", &group) == MPI_ERR_ARG && calls == 1);
}

static void communicator(MPI_Session session) {
  MPI_Group group;
  MPI_Comm all;
  int size, rank, group_size, sum = 0;
  CHECK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
  CHECK(MPI_Comm_create_from_group(group, "org.kaon.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all) == MPI_SUCCESS);
  CHECK(MPI_Comm_size(all, &size) == MPI_SUCCESS && MPI_Comm_rank(all, &rank) == MPI_SUCCESS);
  CHECK(MPI_Group_size(group, &group_size) == MPI_SUCCESS && group_size == size);
  CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all) == MPI_SUCCESS && sum == size * (size - 1) / 2);
  CHECK(MPI_Group_free(&group) == MPI_SUCCESS && MPI_Comm_free(&all) == MPI_SUCCESS);
}

/* Buffered sends take the memory of a session where the communicator and the program have none. */
static void buffers(MPI_Session session) {
  static char memory[1000];
  char byte = 7, *address;
  int bytes, rank;
  MPI_Count many;
  MPI_Group group;
  MPI_Comm all;
  MPI_Request request;
  CHECK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
  CHECK(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all) == MPI_SUCCESS);
  CHECK(MPI_Comm_rank(all, &rank) == MPI_SUCCESS);
  CHECK(MPI_Bsend(&byte, 1, MPI_CHAR, rank, 0, all) == MPI_ERR_BUFFER);
  CHECK(MPI_Session_attach_buffer(session, memory, sizeof memory) == MPI_SUCCESS);
  CHECK(MPI_Bsend(&byte, 1, MPI_CHAR, rank, 0, all) == MPI_SUCCESS);
  CHECK(MPI_Bsend(memory, 2000, MPI_CHAR, rank, 0, all) == MPI_ERR_BUFFER);
  CHECK(MPI_Recv(&byte, 1, MPI_CHAR, rank, 0, all, MPI_STATUS_IGNORE) == MPI_SUCCESS && byte == 7);
  CHECK(MPI_Session_flush_buffer(session) == MPI_SUCCESS);
  CHECK(MPI_Session_iflush_buffer(session, &request) == MPI_SUCCESS &&
        MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Session_detach_buffer(session, &address, &bytes) == MPI_SUCCESS);
  CHECK(address == memory && bytes == sizeof memory);
  CHECK(MPI_Session_attach_buffer_c(session, MPI_BUFFER_AUTOMATIC, 0) == MPI_SUCCESS);
  CHECK(MPI_Bsend(memory, 1000, MPI_CHAR, rank, 0, all) == MPI_SUCCESS);
  CHECK(MPI_Recv(memory, 1000, MPI_CHAR, rank, 0, all, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Session_detach_buffer_c(session, &address, &many) == MPI_SUCCESS);
  CHECK(address == MPI_BUFFER_AUTOMATIC && many == 0);
  CHECK(MPI_Group_free(&group) == MPI_SUCCESS && MPI_Comm_free(&all) == MPI_SUCCESS);
}

static int comm_calls;
static void count_comm_call(MPI_Comm* comm, int* code, ...) { comm_calls += comm != NULL && *code != MPI_SUCCESS; }

/* Errors of a function that makes something go to the handler which that would have. */
static void handlers_of_what_is_not_made(MPI_Session session) {
  MPI_Session other = MPI_SESSION_NULL;
  MPI_Info info;
  MPI_Group group;
  MPI_Comm all;
  MPI_Errhandler handler;
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, "thread_level", "enough") == MPI_SUCCESS);
  CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &other) == MPI_ERR_INFO_VALUE);
  CHECK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE") == MPI_SUCCESS);
  CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &other) == MPI_SUCCESS);
  CHECK(MPI_Session_finalize(&other) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
  CHECK(MPI_Comm_create_errhandler(count_comm_call, &handler) == MPI_SUCCESS);
  CHECK(MPI_Group_from_session_pset(session, "mpi://SELF", &group) == MPI_SUCCESS);
  comm_calls = 0;
  CHECK(MPI_Comm_create_from_group(group, NULL, MPI_INFO_NULL, handler, &all) != MPI_SUCCESS && comm_calls == 1);
  CHECK(MPI_Errhandler_free(&handler) == MPI_SUCCESS && MPI_Group_free(&group) == MPI_SUCCESS);
}

int main(void) {
  MPI_Session session;
  MPI_Errhandler handler;
  MPI_Info used;
  CHECK(MPI_Session_create_errhandler(count_call, &handler) == MPI_SUCCESS);
  CHECK(MPI_Session_init(MPI_INFO_NULL, handler, &session) == MPI_SUCCESS);
  CHECK(MPI_Errhandler_free(&handler) == MPI_SUCCESS);
  CHECK(MPI_Session_get_info(session, &used) == MPI_SUCCESS && MPI_Info_free(&used) == MPI_SUCCESS);
  process_sets(session);
  communicator(session);
  buffers(session);
  handlers_of_what_is_not_made(session);
  CHECK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS && session == MPI_SESSION_NULL);
  CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS); /* once more */
  CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
  return 0;
}

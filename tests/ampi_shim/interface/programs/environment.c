/* SPDX-License-Identifier: Apache-2.0 */
/* Versions, memory, clocks, integers of handles, and the tool interface. Any number of ranks. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "tests/ampi_shim/programs/check.h"

static void versions(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int version, subversion, length;
  CHECK(MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version == 5 && subversion == 0);
  CHECK(MPI_Abi_get_version(&version, &subversion) == MPI_SUCCESS && version == 1 && subversion == 0);
  CHECK(MPI_Get_library_version(text, &length) == MPI_SUCCESS && strstr(text, "Kaon") != NULL);
  CHECK(length == (int)strlen(text));
  CHECK(MPI_Get_processor_name(text, &length) == MPI_SUCCESS && length == (int)strlen(text) && length > 0);
}

static void memory(void) {
  MPI_Info info;
  char* bytes = NULL;
  CHECK(MPI_Alloc_mem(1000, MPI_INFO_NULL, &bytes) == MPI_SUCCESS && bytes != NULL);
  memset(bytes, 1, 1000);
  CHECK(MPI_Free_mem(bytes) == MPI_SUCCESS);
  CHECK(MPI_Alloc_mem(-1, MPI_INFO_NULL, &bytes) == MPI_ERR_ARG);
  CHECK(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &bytes) == MPI_ERR_NO_MEM);
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096") == MPI_SUCCESS);
  CHECK(MPI_Alloc_mem(8, info, &bytes) == MPI_SUCCESS && (uintptr_t)bytes % 4096 == 0);
  CHECK(MPI_Free_mem(bytes) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
}

static void clocks(void) {
  const double first = MPI_Wtime();
  CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3);
  CHECK(MPI_Wtime() >= first);
}

static void integers_of_handles(void) {
  MPI_Comm copy;
  MPI_Info info;
  CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101 && MPI_Comm_fromint(0x101) == MPI_COMM_WORLD);
  CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_DOUBLE)) == MPI_DOUBLE);
  CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
  CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS && MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Comm_toint(copy) == MPI_Comm_c2f(copy) && MPI_Comm_f2c(MPI_Comm_c2f(copy)) == copy);
  CHECK(MPI_Comm_toint(copy) != MPI_Info_toint(info) && MPI_Info_fromint(MPI_Info_toint(info)) == info);
  CHECK(MPI_Comm_free(&copy) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
}

static void tool_interface(void) {
  int provided, count = -1;
  MPI_T_pvar_session session;
  CHECK(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
  CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count == 0);
  CHECK(MPI_T_cvar_get_index("none", &count) == MPI_T_ERR_INVALID_NAME);
  CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS && MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_session_free(&session) == MPI_T_ERR_INVALID_SESSION);
  CHECK(MPI_T_finalize() == MPI_SUCCESS && MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
}

/* What any thread may ask, at every level of thread support. */
static void* ask_on_thread(void* is_done) {
  int flag = -1, level = -1;
  CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && flag);
  CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Is_thread_main(&flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_SINGLE);
  CHECK(MPI_Comm_rank(MPI_COMM_SELF, &level) == MPI_SUCCESS && level == 0);
  CHECK(MPI_Comm_size(MPI_COMM_SELF, &level) == MPI_SUCCESS && level == 1);
  CHECK(MPI_Wtime() > 0);
  versions();
  *(int*)is_done = 1;
  return NULL;
}

static void threads_of_the_program(void) {
  pthread_t thread;
  int is_done = 0;
  CHECK(pthread_create(&thread, NULL, ask_on_thread, &is_done) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(is_done);
}

int main(void) {
  CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  versions();
  memory();
  clocks();
  integers_of_handles();
  tool_interface();
  threads_of_the_program();
  CHECK(MPI_Finalize() == MPI_SUCCESS);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Info objects. Any number of ranks. */
#include <string.h>

#include "tests/ampi_shim/programs/check.h"

static void keys_and_values(void) {
  MPI_Info info, copy;
  int count, flag, length;
  char text[64];
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, "b", "2") == MPI_SUCCESS && MPI_Info_set(info, "a", "one") == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, "b", "twenty") == MPI_SUCCESS);
  CHECK(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS && count == 2);
  CHECK(MPI_Info_get_nthkey(info, 0, text) == MPI_SUCCESS && strcmp(text, "b") == 0);
  CHECK(MPI_Info_get_nthkey(info, 1, text) == MPI_SUCCESS && strcmp(text, "a") == 0);
  CHECK(MPI_Info_get_nthkey(info, 2, text) == MPI_ERR_ARG);

  CHECK(MPI_Info_get(info, "b", 63, text, &flag) == MPI_SUCCESS && flag && strcmp(text, "twenty") == 0);
  CHECK(MPI_Info_get(info, "b", 3, text, &flag) == MPI_SUCCESS && flag && strcmp(text, "twe") == 0);
  CHECK(MPI_Info_get(info, "c", 63, text, &flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Info_get_valuelen(info, "b", &length, &flag) == MPI_SUCCESS && flag && length == 6);

  length = 0; /* asks for the length, with its zero */
  CHECK(MPI_Info_get_string(info, "b", &length, NULL, &flag) == MPI_SUCCESS && flag && length == 7);
  length = 4;
  CHECK(MPI_Info_get_string(info, "b", &length, text, &flag) == MPI_SUCCESS && length == 7);
  CHECK(strcmp(text, "twe") == 0);

  CHECK(MPI_Info_dup(info, &copy) == MPI_SUCCESS);
  CHECK(MPI_Info_delete(info, "b") == MPI_SUCCESS && MPI_Info_delete(info, "b") == MPI_ERR_INFO_NOKEY);
  CHECK(MPI_Info_get_nkeys(copy, &count) == MPI_SUCCESS && count == 2);
  CHECK(MPI_Info_free(&info) == MPI_SUCCESS && info == MPI_INFO_NULL);
  CHECK(MPI_Info_free(&copy) == MPI_SUCCESS);
}

static void wrong_use(void) {
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  int count;
  MPI_Info info, freed;
  memset(key, 'k', sizeof key);
  memset(value, 'v', sizeof value);
  key[MPI_MAX_INFO_KEY] = value[MPI_MAX_INFO_VAL] = '\0';
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, key, "1") == MPI_ERR_INFO_KEY && MPI_Info_set(info, "", "1") == MPI_ERR_INFO_KEY);
  CHECK(MPI_Info_set(info, "k", value) == MPI_ERR_INFO_VALUE);
  key[MPI_MAX_INFO_KEY - 1] = value[MPI_MAX_INFO_VAL - 1] = '\0'; /* the longest */
  CHECK(MPI_Info_set(info, key, value) == MPI_SUCCESS);
  freed = info;
  CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_get_nkeys(freed, &count) == MPI_ERR_INFO);
  CHECK(MPI_Info_get_nkeys(MPI_INFO_NULL, &count) == MPI_ERR_INFO);
  CHECK(MPI_Info_set(MPI_INFO_ENV, "host", "x") == MPI_ERR_INFO);
}

static void environment(void) {
  char text[64];
  int flag;
  CHECK(MPI_Info_get(MPI_INFO_ENV, "maxprocs", 63, text, &flag) == MPI_SUCCESS && flag);
  int count = 0;
  for (const char* digit = text; *digit != '\0'; ++digit) count = 10 * count + (*digit - '0');
  CHECK(count == size_of_world());
}

int main(int argc, char** argv) {
  MPI_Info early;
  CHECK(MPI_Info_create_env(argc, argv, &early) == MPI_SUCCESS); /* before MPI_Init */
  CHECK(MPI_Init(&argc, &argv) == MPI_SUCCESS);
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  keys_and_values();
  wrong_use();
  environment();
  CHECK(MPI_Finalize() == MPI_SUCCESS);
  if (MPI_Info_free(&early) != MPI_SUCCESS) return 1; /* and after MPI_Finalize */
  return 0;
}

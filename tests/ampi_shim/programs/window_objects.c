/* SPDX-License-Identifier: Apache-2.0 */
/* Windows as objects: groups, attributes, names, hints, integers for them, and memory that ranks share. */
#include "check.h"
#include "windows.h"

static int me, ranks;
static int deleted;

static int delete_attribute(MPI_Win win, int keyval, void* value, void* extra) {
  CHECK(win != MPI_WIN_NULL && keyval != MPI_KEYVAL_INVALID && value == &me && extra == &ranks);
  ++deleted;
  return MPI_SUCCESS;
}

static void attributes(struct window* w) {
  static const int flavors[kFlavors] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED,
                                        MPI_WIN_FLAVOR_DYNAMIC};
  void *base, *value;
  MPI_Aint* size;
  int *number, flag, key;
  CHECK(MPI_Win_get_attr(w->win, MPI_WIN_BASE, &base, &flag) == MPI_SUCCESS && flag);
  CHECK(base == (w->flavor == kDynamic ? MPI_BOTTOM : w->memory));
  CHECK(MPI_Win_get_attr(w->win, MPI_WIN_SIZE, &size, &flag) == MPI_SUCCESS && flag);
  CHECK(*size == (w->flavor == kDynamic ? 0 : w->ints * (MPI_Aint)sizeof(int)));
  CHECK(MPI_Win_get_attr(w->win, MPI_WIN_DISP_UNIT, &number, &flag) == MPI_SUCCESS && flag);
  CHECK(*number == (w->flavor == kDynamic ? 1 : (int)sizeof(int)));
  CHECK(MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &number, &flag) == MPI_SUCCESS && flag);
  CHECK(*number == flavors[w->flavor]);
  CHECK(MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &number, &flag) == MPI_SUCCESS && flag && *number == MPI_WIN_UNIFIED);
  CHECK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_attribute, &key, &ranks) == MPI_SUCCESS);
  CHECK(MPI_Win_get_attr(w->win, key, &value, &flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Win_set_attr(w->win, key, &me) == MPI_SUCCESS);
  CHECK(MPI_Win_get_attr(w->win, key, &value, &flag) == MPI_SUCCESS && flag && value == &me);
  deleted = 0;
  CHECK(MPI_Win_delete_attr(w->win, key) == MPI_SUCCESS && deleted == 1);
  CHECK(MPI_Win_set_attr(w->win, key, &me) == MPI_SUCCESS);
  CHECK(MPI_Win_free_keyval(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
}

static void names_and_groups(struct window* w) {
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Group group, world;
  int length, result;
  CHECK(MPI_Win_get_name(w->win, name, &length) == MPI_SUCCESS && length == 0 && name[0] == 0);
  CHECK(MPI_Win_set_name(w->win, "a window") == MPI_SUCCESS);
  CHECK(MPI_Win_get_name(w->win, name, &length) == MPI_SUCCESS && length == 8 && strcmp(name, "a window") == 0);
  CHECK(MPI_Win_get_name(MPI_WIN_NULL, name, &length) == MPI_SUCCESS && strcmp(name, "MPI_WIN_NULL") == 0);
  CHECK(MPI_Win_get_group(w->win, &group) == MPI_SUCCESS);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  CHECK(MPI_Group_compare(group, world, &result) == MPI_SUCCESS && result == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  CHECK(MPI_Win_f2c(MPI_Win_c2f(w->win)) == w->win);
  CHECK(MPI_Win_fromint(MPI_Win_toint(w->win)) == w->win);
}

static void check_hint(MPI_Win win, const char* key, const char* expected) {
  MPI_Info info;
  char value[64];
  int length = sizeof value, flag;
  CHECK(MPI_Win_get_info(win, &info) == MPI_SUCCESS);
  CHECK(MPI_Info_get_string(info, key, &length, value, &flag) == MPI_SUCCESS);
  CHECK(flag == (expected != NULL) && (!flag || strcmp(value, expected) == 0));
  MPI_Info_free(&info);
}

static void hints(struct window* w) {
  MPI_Info info;
  check_hint(w->win, "no_locks", "false");
  check_hint(w->win, "accumulate_ordering", "rar,raw,war,waw");
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Info_set(info, "of_no_use", "x");
  CHECK(MPI_Win_set_info(w->win, info) == MPI_SUCCESS);
  MPI_Info_free(&info);
  check_hint(w->win, "accumulate_ordering", "none");
  check_hint(w->win, "of_no_use", NULL);
}

/* Loads and stores by all ranks, whose parts follow each other. */
static void shared_memory(void) {
  int *memory, *other, unit, *first;
  MPI_Aint size;
  MPI_Win win;
  const int ints = me % 3;
  CHECK(MPI_Win_allocate_shared(ints * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                                &win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock_all(0, win) == MPI_SUCCESS);
  for (int i = 0; i < ints; ++i) memory[i] = 10 * me + i;
  CHECK(MPI_Win_sync(win) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Win_sync(win) == MPI_SUCCESS);
  CHECK(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &first) == MPI_SUCCESS);
  CHECK(ranks == 1 || (size == sizeof(int) && unit == sizeof(int)));
  const int* next = first;
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(MPI_Win_shared_query(win, rank, &size, &unit, &other) == MPI_SUCCESS);
    CHECK(size == (rank % 3) * (MPI_Aint)sizeof(int));
    if (size > 0) CHECK(other == next);
    for (int i = 0; i < rank % 3; ++i) CHECK(*next++ == 10 * rank + i);
  }
  CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
}

/* A rank that computes and looks for a store of another one, of whatever process. */
static void a_flag_in_shared_memory(void) {
  int *flag, *zero;
  MPI_Aint size;
  MPI_Win win;
  int unit;
  CHECK(MPI_Win_allocate_shared(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win) == MPI_SUCCESS);
  *flag = 0;
  MPI_Win_fence(0, win);
  CHECK(MPI_Win_shared_query(win, 0, &size, &unit, &zero) == MPI_SUCCESS);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  while (me != 0 && __atomic_load_n(zero, __ATOMIC_ACQUIRE) != me) MPI_Win_sync(win);
  __atomic_store_n(zero, me + 1, __ATOMIC_RELEASE);
  while (me == 0 && __atomic_load_n(zero, __ATOMIC_ACQUIRE) != ranks) MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  for (int flavor = 0; flavor < kFlavors; ++flavor) {
    struct window w = make_window(flavor, 6);
    attributes(&w);
    names_and_groups(&w);
    hints(&w);
    free_window(&w);
    CHECK(deleted == 2);
  }
  shared_memory();
  a_flag_in_shared_memory();
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

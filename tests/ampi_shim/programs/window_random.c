/* SPDX-License-Identifier: Apache-2.0 */
/* One-sided programs that a seed makes up, compared with a serial model that every rank runs: first seed, last seed. */
#include <stdint.h>

#include "check.h"
#include "windows.h"

enum { kInts = 48, kHalf = kInts / 2, kOperations = 24, kPhases = 6, kMostInts = 6 };
enum kind { kPut, kGet, kAdd, kFetchAndAdd, kSwap, kKinds };
enum sync { kFence, kLockAll, kLocks, kGroups, kSyncs };

static int me, ranks;
static uint64_t state;

static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

struct operation {
  int kind, origin, target, at, count, stride, value;
};

/* The lower half of each part is put to, each place once a phase at most; the upper half is accumulated. What is got is
   of the phase before. */
static struct operation make_operation(char* used) {
  struct operation o;
  o.kind = draw(kKinds);
  o.origin = draw(ranks);
  o.target = draw(ranks);
  o.count = 1 + draw(kMostInts);
  o.stride = 1 + draw(3);
  o.at = draw(kHalf - (o.count - 1) * o.stride) + (o.kind >= kAdd ? kHalf : 0);
  o.value = draw(1000);
  if (o.kind == kSwap) o.count = 1;
  for (int i = 0; i < o.count && o.kind < kAdd; ++i)
    if (used[o.target * kInts + o.at + i * o.stride]) o.count = 0;
  for (int i = 0; i < o.count; ++i) used[o.target * kInts + o.at + i * o.stride] = 1;
  return o;
}

/* A compared swap is with a value that no element has, so that the order of operations does not show. */
static void model(const struct operation* o, int* all, int* got) {
  for (int i = 0; i < o->count; ++i) {
    int* const element = &all[o->target * kInts + o->at + i * o->stride];
    if (o->kind == kGet) got[i] = *element;
    if (o->kind == kPut) *element = o->value + i;
    if (o->kind == kAdd || o->kind == kFetchAndAdd) *element += o->value + i;
  }
}

static void access_window(const struct window* w, const struct operation* o, int* values, int* got) {
  const MPI_Aint at = place(w, o->target, o->at);
  const int absent = -1;
  MPI_Datatype type;
  MPI_Type_vector(o->count, 1, o->stride, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < o->count; ++i) values[i] = o->value + i;
  if (o->count > 0 && o->kind == kPut)
    CHECK(MPI_Put(values, o->count, MPI_INT, o->target, at, 1, type, w->win) == MPI_SUCCESS);
  if (o->count > 0 && o->kind == kGet)
    CHECK(MPI_Get(got, o->count, MPI_INT, o->target, at, 1, type, w->win) == MPI_SUCCESS);
  if (o->count > 0 && o->kind == kAdd)
    CHECK(MPI_Accumulate(values, o->count, MPI_INT, o->target, at, 1, type, MPI_SUM, w->win) == MPI_SUCCESS);
  if (o->count > 0 && o->kind == kFetchAndAdd)
    CHECK(MPI_Get_accumulate(values, o->count, MPI_INT, got, o->count, MPI_INT, o->target, at, 1, type, MPI_SUM,
                             w->win) == MPI_SUCCESS);
  if (o->kind == kSwap)
    CHECK(MPI_Compare_and_swap(values, &absent, got, MPI_INT, o->target, at, w->win) == MPI_SUCCESS);
  MPI_Type_free(&type);
}

static void run_phase(struct window* w, enum sync how, const struct operation* all, int results[][kMostInts]) {
  int values[kOperations][kMostInts];
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (how == kFence) CHECK(MPI_Win_fence(0, w->win) == MPI_SUCCESS);
  if (how == kLockAll) CHECK(MPI_Win_lock_all(0, w->win) == MPI_SUCCESS);
  if (how == kGroups) {
    CHECK(MPI_Win_post(world, 0, w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_start(world, 0, w->win) == MPI_SUCCESS);
  }
  for (int i = 0; i < kOperations; ++i) {
    const struct operation* const o = &all[i];
    if (o->origin != me) continue;
    if (how == kLocks)
      CHECK(MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, o->target, 0, w->win) == MPI_SUCCESS);
    access_window(w, o, values[i], results[i]);
    if (how == kLocks) CHECK(MPI_Win_unlock(o->target, w->win) == MPI_SUCCESS);
    if (how == kLockAll && i % 5 == 0) CHECK(MPI_Win_flush(o->target, w->win) == MPI_SUCCESS);
  }
  if (how == kFence) CHECK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win) == MPI_SUCCESS);
  if (how == kLockAll) CHECK(MPI_Win_unlock_all(w->win) == MPI_SUCCESS);
  if (how == kGroups) {
    CHECK(MPI_Win_complete(w->win) == MPI_SUCCESS);
    CHECK(MPI_Win_wait(w->win) == MPI_SUCCESS);
  }
  MPI_Group_free(&world);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_seed(int seed) {
  state = (uint64_t)seed;
  for (int i = 0; i < 4; ++i) draw(2);
  struct window w = make_window(draw(kFlavors), kInts);
  int* const expected = calloc((size_t)(ranks * kInts), sizeof(int));
  char* const used = malloc((size_t)(ranks * kInts));
  for (int phase = 0; phase < kPhases; ++phase) {
    struct operation all[kOperations];
    int results[kOperations][kMostInts] = {{0}}, got[kOperations][kMostInts] = {{0}};
    const enum sync how = (enum sync)draw(kSyncs);
    memset(used, 0, (size_t)(ranks * kInts));
    for (int i = 0; i < kOperations; ++i) all[i] = make_operation(used);
    for (int i = 0; i < kOperations; ++i) model(&all[i], expected, got[i]);
    run_phase(&w, how, all, results);
    for (int i = 0; i < kInts; ++i)
      if (w.memory[i] != expected[me * kInts + i]) {
        fprintf(stderr, "seed %d, phase %d, flavor %d: rank %d has %d at %d instead of %d\n", seed, phase, w.flavor, me,
                w.memory[i], i, expected[me * kInts + i]);
        MPI_Abort(MPI_COMM_WORLD, 98);
      }
    for (int i = 0; i < kOperations; ++i)
      if (all[i].origin == me && all[i].kind == kGet && memcmp(results[i], got[i], sizeof got[i]) != 0) {
        fprintf(stderr, "seed %d, phase %d, flavor %d: rank %d has got something else\n", seed, phase, w.flavor, me);
        MPI_Abort(MPI_COMM_WORLD, 97);
      }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(used);
  free(expected);
  free_window(&w);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = rank_of_world();
  ranks = size_of_world();
  const int first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 12;
  for (int seed = first; seed <= last; ++seed) run_seed(seed);
  if (me == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

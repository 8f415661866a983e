/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of each rank count without a lock: for ThreadSanitizer, which must say so. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

static int counter;
static atomic_int begun;

/* Relaxed: that both have begun puts neither's count before the other's. */
static void* count(void* unused) {
  atomic_fetch_add_explicit(&begun, 1, memory_order_relaxed);
  while (atomic_load_explicit(&begun, memory_order_relaxed) < 2) sched_yield();
  ++counter;
  return unused;
}

static void count_on_threads(void) {
  pthread_t both[2];
  for (int i = 0; i < 2; ++i) CHECK(!pthread_create(&both[i], NULL, count, NULL));
  for (int i = 0; i < 2; ++i) CHECK(!pthread_join(both[i], NULL));
  ++counter; /* no race: they have ended */
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  count_on_threads();
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}

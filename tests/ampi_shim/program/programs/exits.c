// SPDX-License-Identifier: Apache-2.0
// Every way to end. Started as "exits WAY".
#include <assert.h>
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void first(void) { puts("registered first"); }
static void second(void) { puts("registered second"); }
static void late(void) { puts("registered at the exit"); }
static void third(void) {
  puts("registered third");
  atexit(late);
}
static void coded(int code, void* word) { printf("%d %s\n", code, (const char*)word); }
static void again(void) {
  puts("exits again");
  exit(9);
}
static void quick(void) {
  puts("quick");
  fflush(stdout);
}

__attribute__((constructor)) static void begin(void) { puts("constructor"); }
__attribute__((destructor)) static void end(void) { puts("destructor"); }

static void deep(int depth, const char* way) {
  char room[200];
  memset(room, depth, sizeof room);
  sched_yield();
  if (depth > 0) {
    deep(depth - 1, way);
    return;
  }
  if (strcmp(way, "exit") == 0) exit(room[0] + 3);
  if (strcmp(way, "again") == 0) atexit(again), exit(4);
  if (strcmp(way, "at_once") == 0) fflush(stdout), printf("not written"), _exit(5);
  if (strcmp(way, "quick") == 0) quick_exit(6);
  if (strcmp(way, "errx") == 0) errx(7, "wrong %d", 1);
  if (strcmp(way, "assert") == 0) assert(depth == 1);
  if (strcmp(way, "abort") == 0) printf("unfinished"), abort();
}

int main(int argc, char** argv) {
  atexit(first);
  atexit(second);
  on_exit(coded, "word");
  atexit(third);
  at_quick_exit(quick);
  deep(5, argv[argc - 1]);
  puts("returns");
  return 2;
}

// SPDX-License-Identifier: Apache-2.0
// Threads of the C library that a program makes itself. Started as "threads NUMBER".
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int own = 6;
static int shared = 1;

static void* run(void* given) {
  own += *(int*)given;
  shared += own;
  printf("thread of %s has %d\n", getenv("PROGRAM_NUMBER"), own);
  return NULL;
}

int main(int argc, char** argv) {
  int number = atoi(argv[argc - 1]);
  own += 100;
  setenv("PROGRAM_NUMBER", argv[1], 1);
  sched_yield();
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, &number);
    pthread_join(thread, NULL);
    sched_yield();
  }
  printf("%d %d\n", own, shared);
  return 0;
}

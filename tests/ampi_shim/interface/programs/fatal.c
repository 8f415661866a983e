/* SPDX-License-Identifier: Apache-2.0 */
/* An error that ends the run; the argument says which. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static void say_and_go_on(MPI_Comm* comm, int* code, ...) { printf("handler: %d %d\n", *comm == MPI_COMM_SELF, *code); }

static void* send_on_thread(void* value) {
  MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return NULL;
}

static void* abort_on_thread(void* code) {
  MPI_Abort(MPI_COMM_WORLD, *(int*)code);
  return NULL;
}

/* Goes on when main has returned. */
static void* wait_for_ever(void* nothing) {
  const struct timespec a_while = {.tv_nsec = 100000};
  for (;;) thrd_sleep(&a_while, NULL);
  return nothing;
}

static void* exit_on_thread(void* code) { exit(*(int*)code); }

static void detach_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  pthread_detach(thread);
}

static void run_thread(void* (*function)(void*), int argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, &argument);
  pthread_join(thread, NULL);
}

__attribute__((noinline)) static void write_nowhere(volatile int* place) { *place = 1; }

static void print_and_abort(void) {
  printf("the last words");
  MPI_Abort(MPI_COMM_WORLD, 7);
}

static void leave(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
  exit(9);
}

/* Where the others are late, the operation runs beside the program. */
static void exit_in_operation(void) {
  const int one = 1;
  int sum = 0;
  MPI_Op operation;
  MPI_Request request;
  MPI_Op_create(leave, 1, &operation);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void read_input(int rank) {
  char text[32] = "nothing";
  if (fgets(text, sizeof text, stdin) == NULL) strcpy(text, "nothing");
  printf("rank %d has read %s\n", rank, text);
}

static void fail_by_own_class(void) {
  int own_class, code;
  MPI_Add_error_class(&own_class);
  MPI_Add_error_code(own_class, &code);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
}

/* Whose default ends the process. */
static void send_signal(const char* how, int number) {
  if (strcmp(how, "raise") == 0) raise(number);
  if (strcmp(how, "kill") == 0) kill(getpid(), number);
  if (strcmp(how, "queue") == 0) sigqueue(getpid(), number, (union sigval){0});
  if (strcmp(how, "thread") == 0) pthread_kill(pthread_self(), number);
  printf("goes on behind a signal\n");
  MPI_Abort(MPI_COMM_WORLD, 99);
}

static void note_signal(int number) { (void)number; }

static void send_signal_with_handler(int number) {
  signal(number, note_signal);
  raise(number);
  signal(number, SIG_IGN);
  kill(getpid(), number);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  int value = 0, rank;
  if (strcmp(way, "before") == 0) return MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(way, "fatal") == 0 && rank == 1) MPI_Send(&value, -3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (strcmp(way, "send-on-thread") == 0 && rank == 1) run_thread(send_on_thread, 0);
  if (strcmp(way, "abort-on-thread") == 0 && rank == 1) run_thread(abort_on_thread, 43);
  if (strcmp(way, "exit-on-thread") == 0 && rank == 1) run_thread(exit_on_thread, atoi(argv[2]));
  if (strcmp(way, "signal") == 0 && rank == 1) send_signal(argv[2], atoi(argv[3]));
  if (strcmp(way, "signal-with-handler") == 0 && rank == 1) send_signal_with_handler(atoi(argv[2]));
  if (strcmp(way, "detached-thread") == 0) detach_thread();
  if (strcmp(way, "unbuilt") == 0 && rank == 0) MPI_Close_port("none");
  if (strcmp(way, "errors-abort") == 0 && rank == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
    MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  }
  if (strcmp(way, "own-class") == 0 && rank == 1) fail_by_own_class();
  if (strcmp(way, "print") == 0) printf("a line of rank %d\n", rank);
  if (strcmp(way, "close-output") == 0) {
    printf("before\n");
    fclose(stdout);
    printf("behind\n");
  }
  if (strcmp(way, "print-and-abort") == 0 && rank == 1) print_and_abort();
  if (strcmp(way, "exit-in-operation") == 0) exit_in_operation();
  if (strcmp(way, "crash") == 0 && rank == 1) write_nowhere((volatile int*)8);
  if (strcmp(way, "self") == 0 && rank == 0) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(say_and_go_on, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_size(MPI_COMM_NULL, &value);
  }
  if (strcmp(way, "read") == 0 && rank != 0) read_input(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(way, "read") == 0 && rank == 0) read_input(rank);
  MPI_Finalize();
  if (strcmp(way, "after") == 0) MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

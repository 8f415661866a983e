// SPDX-License-Identifier: Apache-2.0
// Writable data of every kind that a C program has. Started as "globals NUMBER".
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

int counter = 7;
static int uninitialized[5000];
static char text[32] = "unset";
int* pointer = &counter;
static int* const inner = &uninitialized[42];
static const char* names[] = {"zero", "one", "two"};

static int add(int value) { return counter += value; }
static int subtract(int value) { return counter -= value; }
static int (*operations[])(int) = {add, subtract};

static int next(void) {
  static int calls = 100;
  return ++calls;
}

int main(int argc, char** argv) {
  const int number = atoi(argv[1]);
  snprintf(text, sizeof text, "rank %d of %d", number, argc);
  names[1] = text;
  for (int i = 0; i < 4; ++i) {
    operations[(number + i) % 2](number + i);
    uninitialized[number + i] += *pointer;
    *inner += next();
    sched_yield();
  }
  int sum = 0;
  for (int i = 0; i < 5000; ++i) sum += uninitialized[i];
  printf("%d %d %d %s %s %s\n", counter, sum, *inner, names[0], names[1], names[2]);
  argv[1][0] = 'x';
  sched_yield();
  printf("%s %d\n", argv[1], pointer == &counter);
  return number % 100;
}

// SPDX-License-Identifier: Apache-2.0
// Thread-local variables of every kind. Started as "thread_locals NUMBER".
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

thread_local int initialized = 5;
thread_local long zeros[40];
static thread_local int* pointer = nullptr;
static int global = 3;
thread_local int* to_global = &global;

struct Told {
  explicit Told(const char* name) : name_(name) { std::printf("made %s\n", name_.c_str()); }
  ~Told() { std::printf("gone %s\n", name_.c_str()); }
  std::string name_;
};
thread_local Told told("variable");

static int next() {
  static thread_local int calls = 20;
  return ++calls;
}

int main(int, char** argv) {
  const int number = std::atoi(argv[1]);
  for (int i = 0; i < 5; ++i) {
    initialized += number;
    zeros[number % 40] += i;
    if (i == 2) pointer = &initialized;
    sched_yield();
    next();
    *to_global += 1;
  }
  long sum = 0;
  for (const long each : zeros) sum += each;
  told.name_ += argv[1];
  std::printf("%d %ld %d %d %d %s\n", initialized, sum, *pointer, next(), global, told.name_.c_str());
  int of_thread = 0;
  std::thread([&] {
    next();
    told.name_ += " of a thread";
    of_thread = initialized + next() + *to_global + (pointer == nullptr);
    std::printf("in a thread %d\n", of_thread);
  }).join();
  sched_yield();
  std::printf("%d %d %s\n", of_thread, initialized, told.name_.c_str());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <utility>

#include "kaon/ampi_shim/program/interposition.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"

// Threads that a rank makes, itself or through a library (std::thread, OpenMP), have the rank's environment and
// streams, and thread-local variables with the values that the program gives them: a new thread would begin with
// ampirun's. Every pthread_create of the process comes here, as symbols of the executable come first.
namespace kaon::ampi {
namespace {

struct Start {
  void* (*function)(void*);
  void* argument;
  ProgramImage::Life maker;
};

// Release and acquire: who sees that a thread has gone also sees what it did.
constinit std::atomic<int> threads_left{0};

/// Of a thread, from before it is made to when it has run the destructors of its own.
struct CountedThread {
  ~CountedThread() { threads_left.fetch_sub(1, std::memory_order_release); }
};

void* run(void* given) {
  static thread_local CountedThread counted;
  static_cast<void>(&counted);  // which makes it
  std::unique_ptr<Start> start(static_cast<Start*>(given));
  ProgramImage::enter_new_thread(std::move(start->maker));
  const auto function = start->function;
  void* argument = start->argument;
  start.reset();  // the function may end the thread without returning
  return function(argument);
}

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// A sanitizer's, which must learn of each thread. It may be linked into this executable, where ours takes its place.
Create next_create() {
  void* const sanitizers = dlsym(RTLD_DEFAULT, "__interceptor_pthread_create");
  return reinterpret_cast<Create>(sanitizers != nullptr ? sanitizers : dlsym(RTLD_NEXT, "pthread_create"));
}

}  // namespace

bool are_threads_left() noexcept { return threads_left.load(std::memory_order_acquire) > 0; }

bool sees_new_threads() { return dlsym(RTLD_DEFAULT, "pthread_create") == reinterpret_cast<void*>(&pthread_create); }

}  // namespace kaon::ampi

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*function)(void*),
                                                                     void* argument) noexcept {
  using namespace kaon::ampi;
  static const auto next = next_create();
  auto maker = ProgramImage::calling_life();
  if (maker == nullptr) return next(thread, attributes, function, argument);
  auto start = std::make_unique<Start>(Start{function, argument, std::move(maker)});
  threads_left.fetch_add(1, std::memory_order_relaxed);
  const int failed = next(thread, attributes, run, start.get());
  if (failed == 0)
    static_cast<void>(start.release());  // the thread's now
  else
    threads_left.fetch_sub(1, std::memory_order_relaxed);
  return failed;
}

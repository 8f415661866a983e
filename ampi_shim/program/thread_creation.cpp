// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <pthread.h>

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

void* run(void* given) {
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
  const int failed = next(thread, attributes, run, start.get());
  if (failed == 0) static_cast<void>(start.release());  // the thread's now
  return failed;
}

// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <pthread.h>

#include <memory>

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
  ProgramImage* image;
};

void* run(void* given) {
  const std::unique_ptr<Start> owned(static_cast<Start*>(given));
  const Start start = *owned;
  start.image->enter_new_thread();
  return start.function(start.argument);
}

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

}  // namespace

bool sees_new_threads() { return dlsym(RTLD_DEFAULT, "pthread_create") == reinterpret_cast<void*>(&pthread_create); }

}  // namespace kaon::ampi

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*function)(void*),
                                                                     void* argument) noexcept {
  using namespace kaon::ampi;
  static const auto next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  auto* image = ProgramImage::current();
  if (image == nullptr) return next(thread, attributes, function, argument);
  auto start = std::make_unique<Start>(Start{function, argument, image});
  const int failed = next(thread, attributes, run, start.get());
  if (failed == 0) static_cast<void>(start.release());  // the thread's now
  return failed;
}

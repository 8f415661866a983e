// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"
#include "kaon/ampi_shim/program/replacements/exiting.hpp"

extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* module) noexcept;

namespace kaon::ampi {

void exit_rank(int code) {
  if (auto* image = ProgramImage::calling()) image->exit(code);
  std::exit(code);
}

void leave_rank(int code) {
  if (auto* image = ProgramImage::calling()) image->leave(code);
  ::_exit(code);
}

void abort_rank() {
  if (auto* image = ProgramImage::calling()) image->abort();
  std::abort();
}

namespace {

[[noreturn]] void quick_exit_rank(int code) {
  caller_state().quick_exit_handlers.run(code);
  leave_rank(code);
}

[[noreturn]] void fail_assertion(const char* text, const char* file, unsigned int line, const char* function) {
  flush_caller();
  const bool has_function = function != nullptr;
  std::fprintf(caller_error(), "%s: %s:%u: %s%sAssertion `%s' failed.\n", caller_short_name(), file, line,
               has_function ? function : "", has_function ? ": " : "", text);
  abort_rank();
}

[[noreturn]] void fail_call(int number, const char* file, unsigned int line, const char* function) {
  fail_assertion(std::strerror(number), file, line, function);
}

int add_exit_handler(void (*function)(void*), void* argument, void*) {
  auto* image = ProgramImage::calling();
  (image != nullptr ? image->exit_handlers() : caller_state().exit_handlers).add(function, argument);
  return 0;
}

int add_coded_exit_handler(void (*function)(int, void*), void* argument) {
  caller_state().exit_handlers.add(function, argument);
  return 0;
}

int add_quick_exit_handler(void (*function)(void*), void*) {
  caller_state().quick_exit_handlers.add(function, nullptr);
  return 0;
}

// A thread that the rank has made runs its own destructors as it ends, and the C library knows when that is.
int add_thread_local_destructor(void (*function)(void*), void* object, void* module) {
  auto* image = ProgramImage::calling();
  if (image == nullptr || !image->runs_here()) {
    return __cxa_thread_atexit_impl(function, object, module);
  }
  image->libc().thread_local_destructors.add(function, object);
  return 0;
}

// Start-up code calls it among the destructors; the rank's end runs all that was registered.
void finalize(void*) {}

}  // namespace

std::span<const Replacement> exit_functions() {
  static const Replacement all[] = {
      replace("exit", exit_rank),
      replace("_exit", leave_rank),
      replace("_Exit", leave_rank),
      replace("quick_exit", quick_exit_rank),
      replace("abort", abort_rank),
      replace("__assert_fail", fail_assertion),
      replace("__assert_perror_fail", fail_call),
      replace("__cxa_atexit", add_exit_handler),
      replace("on_exit", add_coded_exit_handler),
      replace("__cxa_at_quick_exit", add_quick_exit_handler),
      replace("__cxa_thread_atexit", add_thread_local_destructor),
      replace("__cxa_thread_atexit_impl", add_thread_local_destructor),
      replace("__cxa_finalize", finalize),
  };
  return all;
}

}  // namespace kaon::ampi

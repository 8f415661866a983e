// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdarg>
#include <cstddef>

#include "kaon/ampi_shim/program/forked_child.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"
#include "kaon/ampi_shim/program/replacements/exiting.hpp"

// A rank that becomes another program takes all ranks of its process with it. Children that it has forked may.
namespace kaon::ampi {
namespace {

void refuse_in_rank(const char* program) {
  if (ProgramImage::calling() == nullptr || is_forked_child()) return;
  constexpr int kCannotBeUsed = 2;
  flush_caller();
  std::fprintf(
      caller_error(),
      "%s: exec of %s would end all ranks of this process: give ampirun the MPI program itself, not a shell or "
      "another program that becomes it\n",
      caller_short_name(), program);
  leave_rank(kCannotBeUsed);
}

/// How many words are arguments: the first, those behind it, and the null pointer that ends them.
std::size_t count_arguments(const char* first, std::va_list rest) {
  std::size_t count = 1;
  for (const char* next = first; next != nullptr; ++count) next = va_arg(rest, const char*);
  return count;
}

/// Into memory of the caller's stack: a child of vfork() has the heap of its parent.
void take_arguments(char** into, std::size_t count, const char* first, std::va_list& rest) {
  into[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i < count; ++i) into[i] = va_arg(rest, char*);
}

int exec_with_environment(const char* path, char* const argv[], char* const envp[]) {
  refuse_in_rank(path);
  return ::execve(path, argv, envp);
}

int exec_path(const char* path, char* const argv[]) {
  refuse_in_rank(path);
  return ::execv(path, argv);
}

int exec_found(const char* file, char* const argv[]) {
  refuse_in_rank(file);
  return ::execvp(file, argv);
}

int exec_found_with_environment(const char* file, char* const argv[], char* const envp[]) {
  refuse_in_rank(file);
  return ::execvpe(file, argv, envp);
}

int exec_file(int descriptor, char* const argv[], char* const envp[]) {
  refuse_in_rank("an open file");
  return ::fexecve(descriptor, argv, envp);
}

int exec_path_list(const char* path, const char* argument, ...) {
  refuse_in_rank(path);
  std::va_list rest;
  va_start(rest, argument);
  std::va_list counted;
  va_copy(counted, rest);
  const std::size_t count = count_arguments(argument, counted);
  va_end(counted);
  auto** const list = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  take_arguments(list, count, argument, rest);
  va_end(rest);
  return ::execv(path, list);
}

int exec_found_list(const char* file, const char* argument, ...) {
  refuse_in_rank(file);
  std::va_list rest;
  va_start(rest, argument);
  std::va_list counted;
  va_copy(counted, rest);
  const std::size_t count = count_arguments(argument, counted);
  va_end(counted);
  auto** const list = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  take_arguments(list, count, argument, rest);
  va_end(rest);
  return ::execvp(file, list);
}

int exec_list_with_environment(const char* path, const char* argument, ...) {
  refuse_in_rank(path);
  std::va_list rest;
  va_start(rest, argument);
  std::va_list counted;
  va_copy(counted, rest);
  const std::size_t count = count_arguments(argument, counted);
  va_end(counted);
  auto** const list = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  take_arguments(list, count, argument, rest);
  char* const* const envp = va_arg(rest, char* const*);
  va_end(rest);
  return ::execve(path, list, envp);
}

}  // namespace

std::span<const Replacement> program_functions() {
  static const Replacement all[] = {
      replace("execve", exec_with_environment),
      replace("execv", exec_path),
      replace("execvp", exec_found),
      replace("execvpe", exec_found_with_environment),
      replace("fexecve", exec_file),
      replace("execl", exec_path_list),
      replace("execlp", exec_found_list),
      replace("execle", exec_list_with_environment),
  };
  return all;
}

}  // namespace kaon::ampi

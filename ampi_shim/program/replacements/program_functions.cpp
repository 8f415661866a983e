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

/// Calls `exec` with the arguments as an array, in memory of this stack: a child of vfork() has the heap of its parent.
/// `rest` is behind them then.
template <class Exec>
int with_array(const char* first, std::va_list& rest, Exec exec) {
  std::va_list counted;
  va_copy(counted, rest);
  const std::size_t count = count_arguments(first, counted);
  va_end(counted);
  auto** const array = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  array[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i < count; ++i) array[i] = va_arg(rest, char*);
  return exec(array);
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
  const int failed = with_array(argument, rest, [&](char** array) { return ::execv(path, array); });
  va_end(rest);
  return failed;
}

int exec_found_list(const char* file, const char* argument, ...) {
  refuse_in_rank(file);
  std::va_list rest;
  va_start(rest, argument);
  const int failed = with_array(argument, rest, [&](char** array) { return ::execvp(file, array); });
  va_end(rest);
  return failed;
}

int exec_list_with_environment(const char* path, const char* argument, ...) {
  refuse_in_rank(path);
  std::va_list rest;
  va_start(rest, argument);
  const int failed =
      with_array(argument, rest, [&](char** array) { return ::execve(path, array, va_arg(rest, char* const*)); });
  va_end(rest);
  return failed;
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

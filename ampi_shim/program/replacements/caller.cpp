// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/replacements/caller.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/program/standard_streams.hpp"

namespace kaon::ampi {
namespace {

LibcState& process_state() {
  static LibcState* const state = [] {
    auto* made = new LibcState;  // never destroyed: threads may run on while the process ends
    made->environment.start(environ, &environ);
    made->options.start({}, false);
    return made;
  }();
  return *state;
}

}  // namespace

LibcState& caller_state() {
  auto* image = ProgramImage::calling();
  return image != nullptr ? image->libc() : process_state();
}

FILE* caller_input() {
  const auto* image = ProgramImage::calling();
  return image != nullptr ? image->streams().input() : stdin;
}

FILE* caller_output() {
  const auto* image = ProgramImage::calling();
  return image != nullptr ? image->streams().output() : stdout;
}

FILE* caller_error() {
  const auto* image = ProgramImage::calling();
  return image != nullptr ? image->streams().error() : stderr;
}

void flush_caller() {
  if (const auto* image = ProgramImage::calling()) image->streams().flush();
}

const char* caller_name() {
  const auto* image = ProgramImage::calling();
  return image != nullptr ? image->name() : program_invocation_name;
}

const char* caller_short_name() {
  const char* name = caller_name();
  const char* slash = std::strrchr(name, '/');
  return slash == nullptr ? name : slash + 1;
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"

namespace kaon::ampi {
namespace {

int parse(int argc, char** argv, const char* letters) {
  return caller_state().options.next({argc, argv, letters, nullptr, nullptr, false, caller_error()});
}

int parse_posix(int argc, char** argv, const char* letters) {
  const std::string stopping = *letters == '+' ? letters : "+" + std::string(letters);
  return caller_state().options.next({argc, argv, stopping.c_str(), nullptr, nullptr, false, caller_error()});
}

int parse_long(int argc, char** argv, const char* letters, const option* names, int* found) {
  return caller_state().options.next({argc, argv, letters, names, found, false, caller_error()});
}

int parse_long_only(int argc, char** argv, const char* letters, const option* names, int* found) {
  return caller_state().options.next({argc, argv, letters, names, found, true, caller_error()});
}

}  // namespace

std::span<const Replacement> option_functions() {
  static const Replacement all[] = {
      replace("getopt", parse),
      replace("__posix_getopt", parse_posix),
      replace("getopt_long", parse_long),
      replace("getopt_long_only", parse_long_only),
  };
  return all;
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cwchar>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"

// Functions that read the standard input without naming it.
namespace kaon::ampi {
namespace {

int scan(const char* format, ...) {
  va_list places;
  va_start(places, format);
  const int found = std::vfscanf(caller_input(), format, places);
  va_end(places);
  return found;
}

int scan_list(const char* format, va_list places) { return std::vfscanf(caller_input(), format, places); }
int get_character() { return std::getc(caller_input()); }
wint_t get_wide() { return std::getwc(caller_input()); }

}  // namespace

std::span<const Replacement> input_functions() {
  static const Replacement all[] = {
      replace("scanf", scan),
      replace("__isoc99_scanf", scan),
      replace("__isoc23_scanf", scan),
      replace("vscanf", scan_list),
      replace("__isoc99_vscanf", scan_list),
      replace("__isoc23_vscanf", scan_list),
      replace("getchar", get_character),
      replace("getchar_unlocked", get_character),
      replace("getwchar", get_wide),
  };
  return all;
}

}  // namespace kaon::ampi

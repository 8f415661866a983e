// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"
#include "kaon/ampi_shim/program/replacements/exiting.hpp"

// err(), warn(), error() and their kin write the program's name, a text and a cause; some end the program.
namespace kaon::ampi {
namespace {

struct Cause {
  int number;
  bool is_told;
};

void report(const char* name, Cause cause, const char* format, va_list values) {
  flush_caller();
  FILE* errors = caller_error();
  std::fprintf(errors, "%s: ", name);
  if (format != nullptr) std::vfprintf(errors, format, values);
  if (cause.is_told) std::fprintf(errors, "%s%s", format == nullptr ? "" : ": ", std::strerror(cause.number));
  std::fputc('\n', errors);
}

void warn_list(const char* format, va_list values) { report(caller_short_name(), {errno, true}, format, values); }
void warn_list_plain(const char* format, va_list values) { report(caller_short_name(), {0, false}, format, values); }

[[noreturn]] void end_list(int code, const char* format, va_list values) {
  warn_list(format, values);
  exit_rank(code);
}

[[noreturn]] void end_list_plain(int code, const char* format, va_list values) {
  warn_list_plain(format, values);
  exit_rank(code);
}

void warn(const char* format, ...) {
  va_list values;
  va_start(values, format);
  warn_list(format, values);
  va_end(values);
}

void warn_plain(const char* format, ...) {
  va_list values;
  va_start(values, format);
  warn_list_plain(format, values);
  va_end(values);
}

[[noreturn]] void end(int code, const char* format, ...) {
  va_list values;
  va_start(values, format);
  end_list(code, format, values);
}

[[noreturn]] void end_plain(int code, const char* format, ...) {
  va_list values;
  va_start(values, format);
  end_list_plain(code, format, values);
}

// glibc's: ends for a code other than 0, tells the cause for a number other than 0.
void error_gnu(int code, int number, const char* format, ...) {
  va_list values;
  va_start(values, format);
  report(caller_name(), {number, number != 0}, format, values);
  va_end(values);
  if (code != 0) exit_rank(code);
}

}  // namespace

std::span<const Replacement> report_functions() {
  static const Replacement all[] = {
      replace("warn", warn),        replace("vwarn", warn_list),
      replace("warnx", warn_plain), replace("vwarnx", warn_list_plain),
      replace("err", end),          replace("verr", end_list),
      replace("errx", end_plain),   replace("verrx", end_list_plain),
      replace("error", error_gnu),
  };
  return all;
}

}  // namespace kaon::ampi

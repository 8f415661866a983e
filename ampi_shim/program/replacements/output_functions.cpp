// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <cwchar>

#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"
#include "kaon/ampi_shim/program/standard_streams.hpp"

// Functions that write to the standard streams without naming them: the C library's own would write to the process'
// streams.
namespace kaon::ampi {
namespace {

int print(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int written = std::vfprintf(caller_output(), format, values);
  va_end(values);
  return written;
}

int print_list(const char* format, va_list values) { return std::vfprintf(caller_output(), format, values); }

// The forms that programs get with _FORTIFY_SOURCE. The flag forbids %n in writable formats, which nothing here needs.
int print_checked(int, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int written = std::vfprintf(caller_output(), format, values);
  va_end(values);
  return written;
}

int print_list_checked(int, const char* format, va_list values) {
  return std::vfprintf(caller_output(), format, values);
}

int print_wide(const wchar_t* format, ...) {
  va_list values;
  va_start(values, format);
  const int written = std::vfwprintf(caller_output(), format, values);
  va_end(values);
  return written;
}

int put_line(const char* text) {
  FILE* output = caller_output();
  flockfile(output);
  const bool failed = std::fputs(text, output) < 0 || std::putc('\n', output) == EOF;
  funlockfile(output);
  return failed ? EOF : 1;
}

int put_character(int character) { return std::putc(character, caller_output()); }
wint_t put_wide(wchar_t character) { return std::putwc(character, caller_output()); }

void tell_error(const char* what) {
  const bool has_what = what != nullptr && *what != '\0';
  std::fprintf(caller_error(), "%s%s%s\n", has_what ? what : "", has_what ? ": " : "", std::strerror(errno));
}

// All streams of the process are flushed too: which of them the rank has opened nobody knows.
int flush(FILE* stream) {
  if (stream == nullptr) flush_caller();
  return std::fflush(stream);
}

FILE* reopen(const char* path, const char* mode, FILE* stream) {
  auto* image = ProgramImage::calling();
  if (image == nullptr || !image->streams().owns(stream)) return std::freopen(path, mode, stream);
  return image->streams().reopen(stream, path, mode);
}

int close_stream(FILE* stream) {
  auto* image = ProgramImage::calling();
  if (image == nullptr || !image->streams().owns(stream)) return std::fclose(stream);
  return image->streams().close(stream);
}

// A stream of the program's has no descriptor of its own, and stands for the process'.
int number_of_stream(FILE* stream) {
  auto* image = ProgramImage::calling();
  if (image == nullptr || !image->streams().owns(stream)) return fileno(stream);
  return image->streams().number_of(stream);
}

// The streams of the program are tied to the C streams already, and the process' own must stay as they are.
bool tie_to_c_streams(bool) { return true; }

}  // namespace

std::span<const Replacement> output_functions() {
  static const Replacement all[] = {
      replace("printf", print),
      replace("vprintf", print_list),
      replace("__printf_chk", print_checked),
      replace("__vprintf_chk", print_list_checked),
      replace("wprintf", print_wide),
      replace("puts", put_line),
      replace("putchar", put_character),
      replace("putchar_unlocked", put_character),
      replace("putwchar", put_wide),
      replace("perror", tell_error),
      replace("fflush", flush),
      replace("freopen", reopen),
      replace("freopen64", reopen),
      replace("fclose", close_stream),
      replace("fileno", number_of_stream),
      replace("fileno_unlocked", number_of_stream),
      replace("_ZNSt8ios_base15sync_with_stdioEb", tie_to_c_streams),
  };
  return all;
}

}  // namespace kaon::ampi

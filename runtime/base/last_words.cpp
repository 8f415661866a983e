// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/last_words.hpp"

#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <new>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

iovec piece(std::string_view text) { return {const_cast<char*>(text.data()), text.size()}; }

/// In one call, so that the words of others do not come in between.
template <std::size_t count>
void write_line(const std::array<std::string_view, count>& words) {
  std::array<iovec, count> pieces;
  for (std::size_t i = 0; i < count; ++i) pieces[i] = piece(words[i]);
  if (writev(STDERR_FILENO, pieces.data(), static_cast<int>(count)) < 0) return;  // without a reader it is not written
}

void be_the_first() {
  static std::atomic<bool> is_ending{false};
  while (is_ending.exchange(true)) pause();  // until the process is gone
  flush_without_waiting();
}

}  // namespace

void flush_without_waiting() noexcept {
  if (ftrylockfile(stdout) != 0) return;  // a thread writes, perhaps for ever
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  // A pipe that can be written takes a page at once, and the buffer for a pipe has no more.
  if (poll(&output, 1, 0) > 0 && (output.revents & POLLOUT) != 0) std::fflush(stdout);
  funlockfile(stdout);
}

void print_error(const std::exception& error, std::string_view who, std::string_view where) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr)
    write_line<5>({"kaon: ", who, error.what(), where, "\n"});
  else
    write_line<8>({"kaon: ", who, "out of memory (", error.what(), "): ", kMemoryAdvice, where, "\n"});
}

void end_by(const std::exception& error, std::string_view who, std::string_view where) noexcept {
  be_the_first();
  print_error(error, who, where);
  _exit(exit_code(error));
}

void end_with(int code, std::string_view text) noexcept {
  be_the_first();
  write_line<3>({"kaon: ", text, "\n"});
  _exit(code);
}

}  // namespace kaon::runtime

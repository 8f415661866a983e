// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/output.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace kaon::ampi {
namespace {

std::string label_of(int rank, bool has_label) { return has_label ? "[" + std::to_string(rank) + "] " : std::string(); }

// Of the process: of the first write to standard output that failed; 0: none has. Any thread; relaxed, since all ranks
// have ended when it is asked for.
std::atomic<int> first_error{0};

bool note_loss(int descriptor) {
  const int error = errno;
  int none = 0;
  if (descriptor == STDOUT_FILENO) first_error.compare_exchange_strong(none, error, std::memory_order_relaxed);
  errno = error;
  return false;
}

/// After a write that failed: whether to try again.
bool may_write_again(int descriptor) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd polled{descriptor, POLLOUT, 0};
  return poll(&polled, 1, -1) >= 0 || errno == EINTR;
}

bool are_one_file(int one, int other) {
  struct stat first = {};
  struct stat second = {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// Ranks on other PEs write there, too, and a pipe takes more than PIPE_BUF bytes in parts. Standard error is not kept
/// waiting by a reader of standard output, unless both go to the same.
std::mutex& mutex_of(int descriptor) {
  static std::mutex of_output, of_error;
  static const bool is_one = are_one_file(STDOUT_FILENO, STDERR_FILENO);
  return descriptor == STDERR_FILENO && !is_one ? of_error : of_output;
}

}  // namespace

RankOutput::RankOutput(int rank, bool has_label)
    : output_(STDOUT_FILENO, label_of(rank, has_label)), error_(STDERR_FILENO, label_of(rank, has_label)) {}

bool LineStream::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (label_.empty() && line_.empty()) {  // straight from where it lies
    const std::size_t whole = text.rfind('\n') + 1;
    line_ = text.substr(whole);
    return write_out(text.substr(0, whole));
  }
  std::string lines = std::move(line_);
  line_.clear();
  bool is_at_start = lines.empty();
  while (!text.empty()) {
    if (is_at_start) lines += label_;
    const std::size_t end = text.find('\n');
    is_at_start = end != text.npos;
    lines += text.substr(0, is_at_start ? end + 1 : text.size());
    text.remove_prefix(is_at_start ? end + 1 : text.size());
  }
  const std::size_t whole = lines.rfind('\n') + 1;
  line_ = lines.substr(whole);
  return write_out(std::string_view(lines).substr(0, whole));
}

void LineStream::finish() {
  const std::lock_guard lock(mutex_);
  if (line_.empty()) return;
  line_ += '\n';
  write_out(line_);
  line_.clear();
}

bool LineStream::write_out(std::string_view lines) {
  if (lines.empty()) return true;
  const std::lock_guard lock(mutex_of(descriptor_));
  while (!lines.empty()) {
    const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
    if (written > 0)
      lines.remove_prefix(static_cast<std::size_t>(written));
    else if (!may_write_again(descriptor_))
      return note_loss(descriptor_);
  }
  return true;
}

void require_written_output() {
  if (const int error = first_error.load(std::memory_order_relaxed))
    throw std::runtime_error(std::string("some of the standard output of ranks could not be written: ") +
                             std::strerror(error));
}

}  // namespace kaon::ampi

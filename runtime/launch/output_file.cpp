// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/output_file.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace kaon::launch {
namespace {

// A pipe that says it takes some takes as much without blocking.
constexpr std::size_t kMostAtOnce = PIPE_BUF;

}  // namespace

void OutputFile::write(std::string_view bytes) {
  if (unwritten() == 0) bytes.remove_prefix(write_some(bytes));
  if (error_ == 0) waiting_ += bytes;
}

void OutputFile::flush() {
  written_ += write_some(std::string_view(waiting_).substr(written_));
  if (error_ == 0 && written_ < waiting_.size() / 2) return;
  waiting_.erase(0, error_ == 0 ? written_ : waiting_.size());
  written_ = 0;
}

// Returns how many have gone.
std::size_t OutputFile::write_some(std::string_view bytes) {
  std::size_t gone = 0;
  while (gone < bytes.size() && error_ == 0 && takes_some()) {
    const ssize_t taken = ::write(descriptor_, bytes.data() + gone, std::min(bytes.size() - gone, kMostAtOnce));
    if (taken >= 0)
      gone += static_cast<std::size_t>(taken);
    else if (errno == EAGAIN)
      break;  // somebody else has made it non-blocking
    else if (errno != EINTR)
      error_ = errno;
  }
  return gone;
}

bool OutputFile::takes_some() const {
  pollfd polled{descriptor_, POLLOUT, 0};
  return poll(&polled, 1, 0) > 0;  // also when it has an error to give
}

}  // namespace kaon::launch

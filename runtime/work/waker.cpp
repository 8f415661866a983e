// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waker.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace kaon::runtime {

Waker::Waker() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd (too many open files? see ulimit -n)");
}

Waker::~Waker() { close(fd_); }

void Waker::wake() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(fd_, &one, sizeof one);  // fails only when it is readable anyway
}

Waker::Reason Waker::sleep(int port_fd, std::chrono::milliseconds at_most) {
  pollfd ends[2] = {{fd_, POLLIN, 0}, {port_fd, POLLIN, 0}};  // poll skips a negative descriptor
  const int ready = poll(ends, 2, static_cast<int>(at_most.count()));
  if (ready <= 0) return Reason::time_out;
  if (!(ends[0].revents & POLLIN)) return Reason::port;
  std::uint64_t count;
  [[maybe_unused]] const auto got = read(fd_, &count, sizeof count);
  return Reason::signalled;
}

}  // namespace kaon::runtime

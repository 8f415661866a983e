// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/waker.hpp"

#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

timespec to_timespec(std::chrono::nanoseconds time) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  return {time.count() / kPerSecond, time.count() % kPerSecond};
}

}  // namespace

Waker::Waker() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw UsageError(std::string("cannot open an eventfd: ") + std::strerror(errno) + "; raise `ulimit -n`");
}

Waker::~Waker() { close(fd_); }

void Waker::wake() noexcept {
  const WakeWord::State was = word_.wake();
  if (was == WakeWord::waits) {
    syscall(SYS_futex, &word_.word(), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  } else if (was == WakeWord::polls) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(fd_, &one, sizeof one);  // fails only when it is readable anyway
  }
}

Waker::Reason Waker::sleep(int port_fd, std::chrono::nanoseconds at_most) {
  if (!word_.begin(port_fd < 0 ? WakeWord::waits : WakeWord::polls)) return Reason::signalled;
  bool has_port_something = false;
  if (port_fd < 0)
    wait(at_most);
  else
    has_port_something = poll(port_fd, at_most);
  if (word_.end()) return Reason::signalled;
  return has_port_something ? Reason::port : Reason::time_out;
}

void Waker::wait(std::chrono::nanoseconds at_most) {
  const timespec time = to_timespec(at_most);
  // returns at once when the word is another by now
  syscall(SYS_futex, &word_.word(), FUTEX_WAIT_PRIVATE, WakeWord::waits, &time, nullptr, 0);
}

// A signal of a sleep before, which the port ended, may come late: it costs a look.
bool Waker::poll(int port_fd, std::chrono::nanoseconds at_most) {
  const timespec time = to_timespec(at_most);
  pollfd ends[2] = {{fd_, POLLIN, 0}, {port_fd, POLLIN, 0}};
  if (ppoll(ends, 2, &time, nullptr) <= 0) return false;
  if (ends[0].revents & POLLIN) {
    std::uint64_t count;
    [[maybe_unused]] const auto got = read(fd_, &count, sizeof count);
  }
  return true;
}

}  // namespace kaon::runtime

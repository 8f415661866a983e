// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/wake.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

Wake::Wake() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.is_open())
    throw UsageError(std::string("cannot open an eventfd: ") + std::strerror(errno) + "; raise `ulimit -n`");
}

void Wake::ring() const {
  const std::uint64_t one = 1;
  if (write(event_.number(), &one, sizeof one) < 0) return;  // full: it rings already
}

void Wake::quiet() const {
  std::uint64_t count = 0;
  if (read(event_.number(), &count, sizeof count) < 0) return;  // it did not ring
}

std::thread start_without_signals(std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(run));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace kaon::launch

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/wake.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"
#include "kaon/runtime/base/no_thread.hpp"

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

namespace {

class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

std::thread start_without_signals(std::function<void()> run) {
  const NoSignals during_start;
  try {
    return std::thread([run = std::move(run)] {
      try {
        run();
      } catch (const std::bad_alloc& error) {
        runtime::end_by(error, "");
      }
    });
  } catch (const std::system_error& error) {
    runtime::throw_no_thread("a thread that watches the run", error);
  }
}

}  // namespace kaon::launch

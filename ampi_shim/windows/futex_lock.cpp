// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/futex_lock.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kaon::ampi {

// Not FUTEX_PRIVATE_FLAG: the memory may be mapped by several processes.
void FutexLock::wait(std::uint32_t seen) noexcept {
  if (seen != kAwaited) seen = word_.exchange(kAwaited, std::memory_order_acquire);
  while (seen != kFree) {
    syscall(SYS_futex, &word_, FUTEX_WAIT, kAwaited, nullptr, nullptr, 0);
    seen = word_.exchange(kAwaited, std::memory_order_acquire);
  }
}

void FutexLock::wake() noexcept { syscall(SYS_futex, &word_, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/handled.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace kaon::ampi {
namespace {

// The system copies the set of signals before it finds that there is no such thing to do with them, as
// absl::debugging_internal::AddressIsReadable() has it. errno is the program's.
bool is_mapped(const void* address) noexcept {
  constexpr int kNothing = ~0;
  constexpr std::size_t kBytesOfSet = 8;
  const int error = errno;
  const bool is = ::syscall(SYS_rt_sigprocmask, kNothing, address, nullptr, kBytesOfSet) == 0 || errno != EFAULT;
  errno = error;
  return is;
}

}  // namespace

bool HandleWord::look_at(std::uintptr_t page) noexcept {
  if (page == 0) return false;  // the system would take it for no set at all
  if (!is_mapped(reinterpret_cast<const void*>(page << kPageBits))) return false;
  seen_pages_[page % kSeenPages].store(~page, std::memory_order_relaxed);
  return true;
}

}  // namespace kaon::ampi

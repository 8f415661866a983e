// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/stack_pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace kaon::ampi {
namespace {

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t whole_pages(std::size_t bytes) { return (bytes + page() - 1) / page() * page(); }

/// Address space alone: no memory is behind it. As much as the stack, since whoever overruns that may do it by an array
/// of its size, whose first touch lies at its lower end. A page more, so that the tops of stacks are no powers of two
/// apart, and share no set of a cache of translations.
std::size_t guard_for(std::size_t stack_bytes) {
  constexpr std::size_t kLeast = std::size_t{16} << 20;
  return std::max(kLeast, stack_bytes) + page();
}

}  // namespace

StackPool::StackPool(std::size_t bytes) : bytes_(whole_pages(bytes)), guard_(guard_for(bytes_)) {
  kept_.reserve(kMostKept);
}

StackPool::~StackPool() {
  for (const StackMemory& stack : kept_) unmap(stack);
}

StackMemory StackPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!kept_.empty()) {
      const StackMemory stack = kept_.back();
      kept_.pop_back();
      return stack;
    }
  }
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void* const memory = mmap(nullptr, guard_ + bytes_, PROT_NONE, kFlags, -1, 0);
  std::byte* const stack = memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory) + guard_;
  if (stack == nullptr || mprotect(stack, bytes_, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    if (memory != MAP_FAILED) munmap(memory, guard_ + bytes_);
    throw runtime::OutOfMemory("no stack of " + std::to_string(bytes_ >> 10) + " KiB for one more rank (" +
                               std::strerror(error) +
                               "): start fewer ranks, give them smaller stacks by --stack-size, or raise the limits of "
                               "memory (ulimit -v) and of mappings (sysctl vm.max_map_count)");
  }
  return {stack, bytes_};
}

void StackPool::give_back(StackMemory stack) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kMostKept) return kept_.push_back(stack);
  }
  unmap(stack);
}

void StackPool::unmap(StackMemory stack) const noexcept {
#if defined(__SANITIZE_ADDRESS__)
  // frames that the stack was left from: the sanitizer would find them in what is mapped there next
  __asan_unpoison_memory_region(stack.lowest, stack.bytes);
#endif
  munmap(stack.lowest - guard_, stack.bytes + guard_);
}

}  // namespace kaon::ampi

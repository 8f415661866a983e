// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/stack_pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {

StackPool::StackPool(std::size_t bytes)
    : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), bytes_((bytes + page_ - 1) / page_ * page_) {
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
  void* const memory = mmap(nullptr, bytes_ + page_, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page_, PROT_NONE) != 0) {
    const int error = errno;
    if (memory != MAP_FAILED) munmap(memory, bytes_ + page_);
    throw runtime::OutOfMemory("no stack of " + std::to_string(bytes_ >> 10) + " KiB for one more rank (" +
                               std::strerror(error) +
                               "): start fewer ranks, give them smaller stacks by --stack-size, or raise the limits of "
                               "memory (ulimit -v) and of mappings (sysctl vm.max_map_count)");
  }
  return {static_cast<std::byte*>(memory) + page_, bytes_};
}

void StackPool::give_back(StackMemory stack) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kMostKept) return kept_.push_back(stack);
  }
  unmap(stack);
}

void StackPool::unmap(StackMemory stack) const noexcept { munmap(stack.lowest - page_, stack.bytes + page_); }

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/crash_stack.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>

namespace kaon::runtime {
namespace {

/// This thread's stack, which grows down. Filled before any signal can ask: a handler must not look it up.
thread_local StackBounds own_stack;

// Set before there are other stacks; relaxed.
std::atomic<StackBounds (*)() noexcept> stack_finder{nullptr};

StackBounds find_own_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<std::uintptr_t>(low), bytes, "see ulimit -s"};
}

bool has_alternate_stack() {
  stack_t now{};
  return sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0;
}

}  // namespace

CrashStack::CrashStack() {
  own_stack = find_own_stack();
  if (has_alternate_stack()) return;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;  // a stack overflow will be silent
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = kBytes;
  if (sigaltstack(&ours, nullptr) == 0)
    memory_ = memory;
  else
    munmap(memory, kBytes);
}

CrashStack::~CrashStack() {
  if (memory_ == nullptr) return;
  stack_t now{};
  sigaltstack(nullptr, &now);
  if (now.ss_sp != memory_) return;  // somebody's own, who may have noted ours to bring it back
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory_, kBytes);
}

void set_stack_finder(StackBounds (*finder)() noexcept) noexcept {
  stack_finder.store(finder, std::memory_order_relaxed);
}

StackBounds running_stack() noexcept {
  const auto finder = stack_finder.load(std::memory_order_relaxed);
  const StackBounds other = finder != nullptr ? finder() : StackBounds{};
  return other.bytes != 0 ? other : own_stack;
}

bool is_stack_overflow(const StackBounds& stack, std::uintptr_t address, std::uintptr_t stack_pointer) noexcept {
  // What is touched lies between the stack pointer, which a large frame may have taken far below, and the lowest
  // addresses of the stack.
  constexpr std::uintptr_t kNear = std::uintptr_t{64} << 10;
  if (stack.bytes == 0) return false;
  const std::uintptr_t highest = stack.low + std::min(kNear, stack.bytes / 2);
  const std::uintptr_t lowest = std::min(stack_pointer, stack.low) - kNear;
  return stack_pointer < highest && address >= lowest && address < highest;
}

}  // namespace kaon::runtime

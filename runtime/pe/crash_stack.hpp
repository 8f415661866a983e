// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// While one is alive, this thread's signal handlers have a stack of their own, so that they can run when the thread's
/// is used up. Without effect where somebody has given the thread one already.
class CrashStack {
 public:
  CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;
  ~CrashStack();

 private:
  static constexpr std::size_t kBytes = std::size_t{128} << 10;  // for the report and its stack trace
  void* memory_ = nullptr;
};

/// Where a stack is.
struct StackBounds {
  std::uintptr_t low = 0;  // its lowest address
  std::size_t bytes = 0;
  const char* advice = nullptr;  // what to do when it is too small
};
/// From now on a crash asks this which stack the thread is on, when that may be another than its own: `bytes` of 0 says
/// that it is not. It runs in a signal handler.
void set_stack_finder(StackBounds (*finder)() noexcept) noexcept;

/// The stack that this thread is on. `bytes` is 0 where no CrashStack is or was.
StackBounds running_stack() noexcept;

/// True if a fault at `address`, with this stack pointer, means that this stack has been used up.
bool is_stack_overflow(const StackBounds& stack, std::uintptr_t address, std::uintptr_t stack_pointer) noexcept;

}  // namespace kaon::runtime

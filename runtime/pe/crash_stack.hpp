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

/// Bytes of this thread's stack; 0 where no CrashStack is or was.
std::size_t stack_bytes() noexcept;

/// Whether a fault at `address`, with the stack pointer where it was, came of a stack that is used up. To be asked in a
/// handler of the thread.
bool is_stack_overflow(std::uintptr_t address, std::uintptr_t stack_pointer) noexcept;

}  // namespace kaon::runtime

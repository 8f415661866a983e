// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>

#include "kaon/ampi_shim/ranks/stack_pool.hpp"

namespace kaon::ampi {

/// A stack of its own that a function runs on, in turns with the thread that enters it. The function never returns by
/// itself: it says so and leaves for good. Where a fibre is destroyed before that, what is on its stack is dropped and
/// not unwound: these are frames of a program that knows nothing of fibres.
class Fibre {
 public:
  using Function = void(void* argument);

  /// Nothing runs before the first enter().
  Fibre(StackPool& stacks, Function* function, void* argument);
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;
  ~Fibre();

  /// Lets it run until it leaves. On the thread, not on a fibre.
  void enter();
  /// Back to where enter() was called; returns when it is entered again. On the fibre.
  void leave();
  bool has_ended() const { return has_ended_; }
  const StackMemory& stack() const { return stack_; }

 private:
  struct Switch;  // of the library that changes stacks

  StackPool& stacks_;
  StackMemory stack_;
  Function* function_;
  void* argument_;
  bool has_ended_ = false;
  alignas(16) std::byte switch_memory_[64];  // holds a Switch, which is never destroyed: that would unwind the stack
  Switch& switch_;
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <utility>

#include "kaon/ampi_shim/program/running_thread.hpp"
#include "kaon/ampi_shim/ranks/stack_pool.hpp"

namespace kaon::gpu {
class SanitizedStack;
}  // namespace kaon::gpu

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

  /// Lets it run until it leaves, or another one does that it went over to. On the thread, not on a fibre.
  void enter();
  /// Back to where enter() was called; returns when it is entered again. On the fibre.
  void leave();
  /// Does leave() and the other one's enter() by one change of stacks; the other one has begun. On the fibre, where
  /// kGoesOver. The processor mispredicts each return of a function behind a change of stacks: hence inline.
  [[gnu::always_inline]] void go_over_to(Fibre& other) {
    swap_exceptions();
    other.swap_exceptions();
    void* const target = std::exchange(other.other_, other_);  // where enter() was called
    keep(boost::context::detail::jump_fcontext(target, this));
  }
  /// No sanitizer has to be told, which would have to know both.
  static const bool kGoesOver;
  bool has_ended() const { return has_ended_; }
  const StackMemory& stack() const { return stack_; }

 private:
  struct Entry;  // of the library that changes stacks

  /// Whoever changes stacks names the fibre that keeps its context: itself, or, on the thread, the one it enters.
  static void keep(const boost::context::detail::transfer_t& from) {
    static_cast<Fibre*>(from.data)->other_ = from.fctx;
  }
  void swap_exceptions() noexcept { std::swap(*RunningThread::here().exceptions, exceptions_); }
  gpu::SanitizedStack& sanitized() noexcept;

  StackPool& stacks_;
  StackMemory stack_;
  Function* function_;
  void* argument_;
  bool has_ended_ = false;
  void* other_;  // the fibre's context while it does not run, else that of whoever let it run
  // What the library of C++ keeps of a thread's exceptions: which are caught now, and how many are on their way. Each
  // fibre has its own, as it may wait inside a handler.
  CaughtExceptions exceptions_;
  alignas(16) std::byte sanitized_memory_[48];  // holds a SanitizedStack, whose size only one source knows
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <utility>

#include "kaon/runtime/work/task.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::runtime {

/// The operand of `co_await`: an operation together with the task that waits for it. An Operation has:
///
///   static constexpr bool kIsCounted, kIsFromOutside;   // see WaitKind
///   bool is_ready();                      // true: there is nothing to start or to wait for
///   bool start(Waiter& waiter);           // true: it has ended already; else it will run `waiter` later
///   void give_up(Waiter& waiter) noexcept;  // the task ended first: `waiter` must not be run any more
///   Value take();                         // what the await gives
///   std::string describe() const;         // what is waited for, for people
///
/// Only the Operation differs from one wait to another; a rank with a stack will wait by the same four steps.
template <class Operation>
class [[nodiscard]] Awaitable final : public Waiter {
 public:
  template <class... A>
  explicit Awaitable(A&&... arguments) : Waiter(kKind), operation_(std::forward<A>(arguments)...) {}
  ~Awaitable() { give_up(); }

  /// It waits no longer; nothing happens when it does not wait.
  void give_up() noexcept {
    if (!is_waiting()) return;
    operation_.give_up(*this);
    let_go();
  }

  bool await_ready() { return operation_.is_ready(); }
  template <class P>
  bool await_suspend(std::coroutine_handle<P> task) {
    hold(task, root_of(task));
    return start(operation_);
  }
  decltype(auto) await_resume() { return operation_.take(); }

  Operation& operation() { return operation_; }

 private:
  static std::string describe(const Waiter& self) { return static_cast<const Awaitable&>(self).operation_.describe(); }
  static constexpr WaitKind kKind{&describe, Operation::kIsCounted, Operation::kIsFromOutside};

  Operation operation_;
};

}  // namespace kaon::runtime

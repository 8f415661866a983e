// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>

#include "kaon/runtime/work/waiter.hpp"

namespace kaon::ampi {

/// The wait for an Operation (runtime/work/awaitable.hpp) of something that is no task and has no stack: what it waits
/// for runs its Work.
template <class Operation>
class TurnWait final : public runtime::Waiter {
 public:
  template <class... Arguments>
  explicit TurnWait(runtime::Work& then, Arguments&&... arguments)
      : Waiter(kKind), then_(then), operation_(std::forward<Arguments>(arguments)...) {}

  /// True: there is nothing to wait for, and `then` is not run. Else it is, at a turn of the scheduler's.
  bool await() {
    if (operation_.is_ready()) return true;
    hold({}, nullptr);
    run = &resumed;
    if (!operation_.start(*this)) return false;
    let_go();
    return true;
  }
  void give_up() {
    if (!is_waiting()) return;
    operation_.give_up(*this);
    let_go();
  }

 private:
  static std::string describe(const Waiter& self) { return static_cast<const TurnWait&>(self).operation_.describe(); }
  static void resumed(runtime::Work& work, runtime::Pe& pe) {
    auto& self = static_cast<TurnWait&>(work);
    self.let_go();
    self.then_.run(self.then_, pe);
  }
  static constexpr runtime::WaitKind kKind{&describe, Operation::kIsCounted, Operation::kIsFromOutside};

  runtime::Work& then_;
  Operation operation_;
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <coroutine>

#include "kaon/runtime/work/timers.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {
class Pe;
}  // namespace kaon::runtime

namespace kaon::chares {

class [[nodiscard]] QuiescenceAwaiter : Work {
 public:
  explicit QuiescenceAwaiter(Pe& pe) : pe_(pe) {}
  QuiescenceAwaiter(const QuiescenceAwaiter&) = delete;
  QuiescenceAwaiter& operator=(const QuiescenceAwaiter&) = delete;
  ~QuiescenceAwaiter();

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task);
  void await_resume() const noexcept {}

 private:
  Pe& pe_;
  std::coroutine_handle<> task_;
};

/// Holds off quiescence until its time has come.
class [[nodiscard]] TimerAwaiter : Work {
 public:
  TimerAwaiter(Pe& pe, std::chrono::nanoseconds time) : pe_(pe), time_(time) {}
  TimerAwaiter(const TimerAwaiter&) = delete;
  TimerAwaiter& operator=(const TimerAwaiter&) = delete;
  ~TimerAwaiter();

  bool await_ready() const noexcept { return time_.count() <= 0; }
  void await_suspend(std::coroutine_handle<> task);
  void await_resume() const noexcept {}

 private:
  Pe& pe_;
  std::chrono::nanoseconds time_;
  Timers::Clock::time_point when_;
  std::coroutine_handle<> task_;
};

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <exception>

#include "kaon/chares/session.hpp"
#include "kaon/runtime/pe/execution.hpp"

namespace kaon::chares {

/// A main task on PE 0, from its start to the end of Execution::run(), which it ends. It goes when that has returned.
class RunningMain final : Work, Root {
 public:
  /// Keeps an exception of the task for error() if `end` pauses the run. If `end` stops it, an exception fails the run.
  RunningMain(Pe& pe, const MainTask& task, RunEnd end);
  RunningMain(const RunningMain&) = delete;
  RunningMain& operator=(const RunningMain&) = delete;
  ~RunningMain();

  void start() { start(frame_); }
  const std::exception_ptr& error() const { return error_; }

  void say_name(ShortText& text) const override { text << "the main task"; }

 private:
  using Handle = std::coroutine_handle<Task<int>::promise_type>;

  void start(Handle task);
  void has_ended() noexcept;
  void end(int code);

  Pe& pe_;
  RunEnd end_;
  Runtime runtime_;
  Handle frame_;
  Handle report_;  // at the end, of --explain-transfers
  std::exception_ptr error_;
};

}  // namespace kaon::chares

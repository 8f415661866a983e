// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>

#include "kaon/runtime/work/work.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// Waits until nothing from this PE to another waits for credits.
class [[nodiscard]] DrainedAwaiter : Work {
 public:
  DrainedAwaiter(Pe& pe, PeId to) : pe_(pe), to_(to) {}
  DrainedAwaiter(const DrainedAwaiter&) = delete;
  DrainedAwaiter& operator=(const DrainedAwaiter&) = delete;
  ~DrainedAwaiter();

  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> task);
  void await_resume() const noexcept {}

 private:
  Pe& pe_;
  PeId to_;
  std::coroutine_handle<> task_;
};

}  // namespace kaon::chares

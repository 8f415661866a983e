// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/helper_job.hpp"
#include "kaon/runtime/work/result.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// Has a job of the calling PE done by a thread of its process. False: the process has none (`--helper-threads 0`).
bool give_to_helper(HelperJob& job, Waiter& waiter);

template <class F>
class HelperFunction final : public HelperJob {
 public:
  using Value = std::invoke_result_t<F&>;
  static_assert(!is_task<Value>, "on_helper_thread(f): f is a coroutine, which runs on PEs: await it where it is");
  static_assert(!std::is_reference_v<Value>, "on_helper_thread(f): f returns a reference: let it return a value");

  explicit HelperFunction(F&& function) : function_(std::move(function)) {}
  void work() noexcept override {
    try {
      if constexpr (std::is_void_v<Value>)
        function_();
      else
        result_.set(function_());
    } catch (...) {
      result_.fail(std::current_exception());
    }
  }
  Value take() {
    if constexpr (std::is_void_v<Value>)
      result_.rethrow();
    else
      return result_.take();
  }

 private:
  F function_;
  Result<std::conditional_t<std::is_void_v<Value>, bool, Value>> result_;
};

template <class F>
class HelperWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  explicit HelperWait(F&& function) : job_(new HelperFunction<F>(std::move(function))) {}
  HelperWait(const HelperWait&) = delete;
  HelperWait& operator=(const HelperWait&) = delete;
  ~HelperWait() {
    if (job_ != nullptr) job_->forget();
  }

  bool is_ready() const noexcept { return false; }
  bool start(Waiter& waiter) {
    if (give_to_helper(*job_, waiter)) return false;
    job_->work();
    return true;
  }
  /// Gives up the wait. A function that has begun goes on; its result is dropped.
  void give_up(Waiter&) noexcept { std::exchange(job_, nullptr)->forget(); }
  decltype(auto) take() { return job_->take(); }
  std::string describe() const { return "for a function that a helper thread runs"; }

 private:
  HelperFunction<F>* job_;  // whose end is that of the HelperJob
};

/// Runs a function that takes long or blocks (files, sockets, libraries of others) on a thread that is no PE, and gives
/// what it returns, or throws what it throws: `co_await on_helper_thread(f)`. The PE goes on meanwhile; quiescence
/// waits for it. The function has values, as the coroutine may be gone when it runs; it uses no proxies, and PEs only
/// by an Outside. The run's end waits for functions that have begun. A process has up to `--helper-threads` such
/// threads, made as they are needed; functions beyond these wait for one to be free. Of a variable the function is
/// copied, or, when it can only be moved, taken.
template <class F>
Awaitable<HelperWait<std::decay_t<F>>> on_helper_thread(F&& function) {
  using Kept = std::decay_t<F>;
  static_assert(std::is_invocable_v<Kept&>, "on_helper_thread(f): f is a function without arguments");
  // g++ 12 copies closures in expressions that await byte by byte, and destroys both
  static_assert(
      std::is_lvalue_reference_v<F> || std::is_trivially_copyable_v<Kept>,
      "on_helper_thread(f): name a function that captures more than plain values on the line before, and pass "
      "the name: g++ 12 destroys its captures twice when it is made in an expression with co_await");
  if constexpr (std::is_copy_constructible_v<Kept>)
    return Awaitable<HelperWait<Kept>>(Kept(std::forward<F>(function)));
  else
    return Awaitable<HelperWait<Kept>>(Kept(static_cast<Kept&&>(function)));  // a name's, which forward would copy
}

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/chares/runtime.hpp"
#include "kaon/chares/waits/all_any.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/gate.hpp"
#include "kaon/runtime/work/task.hpp"

/// Support for the work that threads other than PEs give to a PE; see Outside.
namespace kaon::chares::outside {

[[noreturn]] void throw_unnamed();
[[noreturn]] void throw_ended(const char* how);
/// Throws UsageError on the thread of a PE.
void require_no_pe();
std::exception_ptr ended_before_value();

/// A posted function may take the runtime of its PE.
template <class F>
decltype(auto) invoke_posted(F& function, Runtime& runtime) {
  if constexpr (std::is_invocable_v<F&>)
    return function();
  else
    return function(runtime);
}

template <class F>
struct ReturnedBy {
  static_assert(std::is_invocable_v<F&> || std::is_invocable_v<F&, Runtime&>,
                "post(f), call(f): f is a function without arguments, or one that takes kaon::Runtime&");
  using type = decltype(invoke_posted(std::declval<F&>(), std::declval<Runtime&>()));
  static_assert(!std::is_reference_v<type>, "call(f): f returns a reference: let it return a value");
};
template <class F>
using Returned = typename ReturnedBy<F>::type;

/// The type of the value that a function gives, or of the task or call that it returns.
template <class R>
struct GivenBy {
  using type = R;
  static constexpr bool kIsAwaited = false;
};
template <class R>
  requires requires { typename branches::Awaited<R>::type; }
struct GivenBy<R> {
  using type = typename branches::Awaited<R>::type;
  static constexpr bool kIsAwaited = true;
};
template <class F>
using ValueOf = typename GivenBy<Returned<F>>::type;

/// Both outlive it.
template <class F>
Task<ValueOf<F>> as_task(F& function, Runtime& runtime) {
  if constexpr (is_task<Returned<F>>)
    return invoke_posted(function, runtime);
  else
    return
        [](F& kept, Runtime& of) -> Task<ValueOf<F>> { co_return co_await invoke_posted(kept, of); }(function, runtime);
}

/// Nobody waits for it.
struct ForNobody {
  static constexpr bool kTellsOfEnd = false;
  void give() const {}
  void fail(Pe& pe, std::exception_ptr error) const noexcept;
};

/// A future waits for it, and is told in any case.
template <class T>
class ForFuture {
 public:
  static constexpr bool kTellsOfEnd = true;
  ForFuture() = default;
  ForFuture(ForFuture&& other) noexcept
      : promise_(std::move(other.promise_)), is_told_(std::exchange(other.is_told_, true)) {}
  ForFuture& operator=(ForFuture&&) = delete;
  ~ForFuture() {
    if (!is_told_) promise_.set_exception(ended_before_value());
  }

  std::future<T> future() { return promise_.get_future(); }
  template <class... V>
  void give(V&&... value) {
    promise_.set_value(std::forward<V>(value)...);
    is_told_ = true;
  }
  void fail(Pe&, std::exception_ptr error) noexcept {
    promise_.set_exception(std::move(error));
    is_told_ = true;
  }

 private:
  std::promise<T> promise_;
  bool is_told_ = false;
};

/// A task of another thread's, from its start to its end: what does not depend on its types.
class PostedTaskBase : public Activity, public Root {
 public:
  void say_name(ShortText& text) const override { text << "a task posted by a thread that is no PE"; }

 protected:
  explicit PostedTaskBase(Pe& pe) : Root(pe), pe_(pe) {}
  ~PostedTaskBase() override = default;
  Pe& pe_;
};

template <class F, class Receiver>
class PostedTask final : public PostedTaskBase {
 public:
  PostedTask(Pe& pe, F&& function, Receiver&& receiver)
      : PostedTaskBase(pe), runtime_(pe), function_(std::move(function)), receiver_(std::move(receiver)) {
    run = [](Work& work, Pe&) {
      auto& self = static_cast<PostedTask&>(work);
      self.finish();
      self.end();
    };
  }

  void start() noexcept {
    Pe& pe = pe_;
    Root* const before = pe.switch_root(this);
    try {
      frame_ = as_task(function_, runtime_).release();
      if (!frame_) throw_given_away();
      frame_.promise().start(frame_, *this, this);  // which may end this
    } catch (...) {
      receiver_.fail(pe, std::current_exception());
      end();
    }
    pe.switch_root(before);
  }

 private:
  ~PostedTask() override {
    if (frame_) runtime::destroy_frame(frame_);
  }

  void finish() noexcept {
    try {
      if constexpr (std::is_void_v<ValueOf<F>>) {
        frame_.promise().take();
        receiver_.give();
      } else {
        receiver_.give(frame_.promise().take());
      }
    } catch (...) {
      receiver_.fail(pe_, std::current_exception());
    }
  }

  Runtime runtime_;
  F function_;  // what a coroutine lambda has captured lies in it
  Receiver receiver_;
  std::coroutine_handle<typename Task<ValueOf<F>>::promise_type> frame_;
};

template <class F, class Receiver>
class PostedFunction final : public Posted {
 public:
  PostedFunction(F&& function, Receiver&& receiver) : function_(std::move(function)), receiver_(std::move(receiver)) {
    run = [](Work& work, Pe& pe) {
      const std::unique_ptr<PostedFunction> self(&static_cast<PostedFunction&>(work));
      self->run_here(pe);
    };
  }

 private:
  void run_here(Pe& pe) noexcept {
    Runtime runtime(pe);
    try {
      if constexpr (GivenBy<Returned<F>>::kIsAwaited) {
        using Running = PostedTask<F, Receiver>;
        Activity::make<Running>(pe.activities(), pe.pool(), pe, std::move(function_), std::move(receiver_)).start();
      } else if constexpr (std::is_void_v<Returned<F>>) {
        invoke_posted(function_, runtime);
        receiver_.give();
      } else {
        receiver_.give(invoke_posted(function_, runtime));
      }
    } catch (...) {
      receiver_.fail(pe, std::current_exception());
    }
  }

  F function_;
  Receiver receiver_;
};

}  // namespace kaon::chares::outside

namespace kaon::chares {

/// A PE, as threads of the program's own reach it: `runtime.outside()` gives one, on that PE, to be copied to them.
///
///   std::thread reader([outside = runtime.outside(), array] {
///     outside.post([array] { array[7].send<&Cell::add>(1); });               // runs on the PE
///     int sum = outside.call([array] { return array.call_all<&Cell::total>(kaon::sum); }).get();
///   });
///
/// What one thread gives runs in its order. Quiescence waits for what was given before it was awaited; and while an
/// Outside is held anywhere, a run that stands still is no deadlock, as something may come. A thread may hold it longer
/// than the run lasts: nothing runs any more then.
class Outside {
 public:
  /// Names no PE. Assign another Outside before use.
  Outside() = default;
  /// Names `pe`, the PE whose thread this is.
  explicit Outside(Pe& pe);

  /// Runs a function, or a coroutine that returns Task<>, once on the PE. It may take `kaon::Runtime&`, the runtime of
  /// the PE. It is kept until it has ended, so that a coroutine lambda may capture. What it throws ends the run. Throws
  /// RunEnded when the run is over; what was posted before and has not run by then never runs. Any thread.
  template <class F>
  void post(F function) const {
    using Value = outside::ValueOf<F>;
    static_assert(std::is_void_v<Value>, "post(f): f returns a value that nobody gets: use call(f), or return nothing");
    give<outside::ForNobody>("post", std::move(function), outside::ForNobody());
  }

  /// Same as post(), for a function or task whose value or exception the thread can wait for. The future gets RunEnded
  /// if the run ends before the value. Throws UsageError on the thread of a PE, which would wait for itself.
  template <class F>
  std::future<outside::ValueOf<F>> call(F function) const {
    using Receiver = outside::ForFuture<outside::ValueOf<F>>;
    outside::require_no_pe();
    Receiver receiver;
    auto future = receiver.future();
    give<Receiver>("call", std::move(function), std::move(receiver));
    return future;
  }

 private:
  template <class Receiver, class F>
  void give(const char* how, F&& function, Receiver&& receiver) const {
    if (gate_ == nullptr) outside::throw_unnamed();
    auto posted = std::make_unique<outside::PostedFunction<F, Receiver>>(std::forward<F>(function),
                                                                         std::forward<Receiver>(receiver));
    if (gate_->post(std::move(posted))) return;
    if constexpr (!Receiver::kTellsOfEnd) outside::throw_ended(how);
  }

  std::shared_ptr<Gate> gate_;
};

}  // namespace kaon::chares

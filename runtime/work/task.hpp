// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Root;

template <class T = void>
class Task;

/// Frames come from the pool of the PE that makes them and go back on the same PE: a frame never moves.
void* allocate_frame(std::size_t bytes);
void release_frame(void* frame, std::size_t bytes) noexcept;

/// UsageErrors: what a program does wrong with tasks.
[[noreturn]] void throw_awaited_twice();
[[noreturn]] void throw_given_away();
/// Throws Deadlock: its compiler has made a coroutine that does nothing.
[[noreturn]] void throw_never_begins();
/// That the task at this place ended without its result.
std::exception_ptr missing_result(const char* file, unsigned line);

class PromiseBase {
 public:
  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { release_frame(frame, bytes); }

  /// The first suspension of a task, which start() ends. g++ 12 gives some coroutines a frame that has something before
  /// what it calls to resume them, so that a handle to the promise leads astray; here it shows.
  class Beginning {
   public:
    explicit Beginning(PromiseBase& promise) : promise_(promise) {}
    bool await_ready() const noexcept { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> self) const noexcept {
      if (static_cast<PromiseBase*>(&self.promise()) != &promise_) [[unlikely]]
        promise_.state_ = State::broken;
    }
    void await_resume() const noexcept {}

   private:
    PromiseBase& promise_;
  };
  Beginning initial_suspend() noexcept { return Beginning(*this); }
  /// It can be neither resumed nor destroyed.
  bool is_broken() const { return state_ == State::broken; }

  struct FinalAwaiter {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> frame) noexcept {
      frame.promise().ended();  // may destroy the frame, and this awaiter with it
    }
    void await_resume() noexcept {}
  };
  void unhandled_exception() noexcept { error_ = std::current_exception(); }

  /// Runs the task until it first waits. True: it has finished already and its awaiter need not suspend.
  /// (Resuming here, not by symmetric transfer, keeps the stack flat in builds without tail calls.)
  bool start(std::coroutine_handle<> self, std::coroutine_handle<> awaiter, Root* root) {
    if (state_ != State::fresh) [[unlikely]]
      throw_not_fresh();
    awaiter_ = awaiter;
    root_ = root;
    state_ = State::starting;
    self.resume();
    if (state_ == State::finished) return true;
    state_ = State::waiting;
    return false;
  }

  /// Runs the task until it first waits. When it ends, at once or later, `at_end` is run, which destroys the frame.
  void start(std::coroutine_handle<> self, Work& at_end, Root* root) {
    if (is_broken()) [[unlikely]]
      throw_never_begins();
    at_end_ = &at_end;
    root_ = root;
    state_ = State::waiting;
    self.resume();
  }

  /// The root that has started the task, directly or through other tasks. It is nullptr before the start, and when a
  /// coroutine of a foreign kind is between them.
  Root* root() const { return root_; }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  std::exception_ptr error() const { return error_; }

 protected:
  void fail(std::exception_ptr error) noexcept { error_ = std::move(error); }

 private:
  [[noreturn]] void throw_not_fresh() const {
    if (is_broken()) throw_never_begins();
    throw_awaited_twice();
  }

  enum class State : unsigned char { fresh, starting, waiting, finished, broken };

  void ended() noexcept {
    if (at_end_ != nullptr) return at_end_->run(*at_end_, this_pe());
    if (std::exchange(state_, State::finished) == State::starting) return;
    awaiter_.resume();
  }

  std::coroutine_handle<> awaiter_;
  Work* at_end_ = nullptr;
  Root* root_ = nullptr;
  std::exception_ptr error_;
  State state_ = State::fresh;
};

/// Ends a coroutine and all that is in its frame. One that is broken stays: its run ends with the error that says so.
template <class P>
void destroy_frame(std::coroutine_handle<P> frame) noexcept {
  if (!frame.promise().is_broken()) frame.destroy();
}

/// A task belongs to what has started it, whoever resumes it.
template <class P>
Root* root_of(std::coroutine_handle<P> task) {
  if constexpr (std::is_base_of_v<PromiseBase, P>)
    return task.promise().root();
  else
    return nullptr;
}

/// Gives the root of the task that awaits it, at once.
class OwnRoot {
 public:
  bool await_ready() const noexcept { return false; }
  template <class P>
  bool await_suspend(std::coroutine_handle<P> task) noexcept {
    root_ = root_of(task);
    return false;
  }
  Root* await_resume() const noexcept { return root_; }

 private:
  Root* root_ = nullptr;
};

template <class T>
class Promise : public PromiseBase {
 public:
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& value) {
    value_.emplace(std::forward<U>(value));
  }
  /// The compiler calls this in the task, so that the place is the task's. (A source_location would lie in its frame,
  /// under a name that g++ numbers anew in each source, so that a linker sees different types.)
  FinalAwaiter final_suspend(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) noexcept {
    if (!value_ && error() == nullptr) [[unlikely]]
      fail(missing_result(file, line));
    return {};
  }
  T take() {
    rethrow();
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() noexcept {}
  FinalAwaiter final_suspend() noexcept { return {}; }
  void take() { rethrow(); }
};

/// A coroutine that computes a T. It starts when awaited, by one awaiter, and its frame lives as long as the Task.
/// An exception that leaves it reaches the awaiter.
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = Promise<T>;
  using value_type = T;

  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~Task() {
    if (frame_) destroy_frame(frame_);
  }

  struct Awaiter {
    std::coroutine_handle<promise_type> frame;
    bool await_ready() noexcept { return false; }
    template <class P>
    bool await_suspend(std::coroutine_handle<P> awaiter) {
      return !frame.promise().start(frame, awaiter, root_of(awaiter));
    }
    T await_resume() { return frame.promise().take(); }
  };
  Awaiter operator co_await() const {
    if (!frame_) [[unlikely]]
      throw_given_away();
    return Awaiter{frame_};
  }

  /// The frame, to be started by its promise; what is run at its end destroys it.
  std::coroutine_handle<promise_type> release() { return std::exchange(frame_, {}); }

 private:
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;

/// The type that an entry or task gives its awaiter: T of Task<T>, else the type itself.
template <class T>
struct ResultOf {
  using type = T;
};
template <class T>
struct ResultOf<Task<T>> {
  using type = T;
};

}  // namespace kaon::runtime

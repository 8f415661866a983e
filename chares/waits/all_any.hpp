// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/join_counter.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

namespace branches {

/// The state that several tasks running side by side share with the task that awaits them.
class Join {
 public:
  Join(std::size_t count, bool any) : missing_(count), any_(any) {}
  void branch_ended(std::size_t index) {
    if (!first_) first_ = index;
    const bool is_last = missing_.arrive();
    if (waiter_ == nullptr || !(is_last || any_)) return;
    // at once: in between another branch could end too, and what it took would be lost
    Waiter& waiter = *std::exchange(waiter_, nullptr);
    waiter.run(waiter, this_pe());
  }
  /// True if the awaiter need not wait any more: all tasks have ended, or, for any(), one has.
  bool is_over() const { return any_ ? first_.has_value() : missing_.is_complete(); }
  std::optional<std::size_t> first() const { return first_; }
  void await(Waiter* waiter) { waiter_ = waiter; }

 private:
  JoinCounter missing_;
  bool any_;
  std::optional<std::size_t> first_;
  Waiter* waiter_ = nullptr;
};

template <class A>
struct Awaited;  // no type: not something to await
template <class A>
  requires requires(A& awaiter) { awaiter.await_resume(); }
struct Awaited<A> {
  using type = decltype(std::declval<A&>().await_resume());
};
template <class A>  // what makes its awaiter when it is awaited, as Sent does
  requires requires(A& awaitable) { awaitable.operator co_await().await_resume(); }
struct Awaited<A> {
  using type = decltype(std::declval<A&>().operator co_await().await_resume());
};
template <class T>
struct Awaited<Task<T>> {
  using type = T;
};
/// The type that `co_await` of an A gives; Nothing for void.
template <class A>
using ResultOfAwait = ValueOf<Task<typename Awaited<A>::type>>;

/// Gives up the wait when the awaiting task ends, since the awaitable may belong to the caller and live on.
template <class A>
struct GiveUpAtEnd {
  A& awaitable;
  ~GiveUpAtEnd() {
    if constexpr (requires { awaitable.give_up(); }) awaitable.give_up();
  }
};

/// `awaitable` outlives the task: it is a temporary of the expression that awaits, or belongs to the caller.
template <class A>
Task<ResultOfAwait<A>> as_task(A& awaitable) {
  const GiveUpAtEnd<A> at_end{awaitable};
  if constexpr (std::is_void_v<typename Awaited<A>::type>) {
    co_await awaitable;
    co_return Nothing{};
  } else {
    co_return co_await awaitable;
  }
}

/// One of them: runs to its end at once or later; what has not ended is destroyed with its frame.
template <class A>
class Branch : Work {
 public:
  Branch(Join& join, std::size_t index, A& awaitable)
      : join_(join), index_(index), frame_(as_task<A>(awaitable).release()) {
    run = [](Work& self, Pe&) {
      auto& branch = static_cast<Branch&>(self);
      branch.leave_root();
      branch.join_.branch_ended(branch.index_);
    };
  }
  Branch(const Branch&) = delete;
  Branch& operator=(const Branch&) = delete;
  ~Branch() {
    runtime::destroy_frame(frame_);
    leave_root();
  }
  void start(Root* root) {
    root_ = root;
    if (root != nullptr) root->begin_strand();
    frame_.promise().start(frame_, *this, root);
  }
  ResultOfAwait<A> take() { return frame_.promise().take(); }

 private:
  void leave_root() noexcept {
    if (Root* root = std::exchange(root_, nullptr)) root->end_strand();
  }

  Join& join_;
  std::size_t index_;
  Root* root_ = nullptr;  // while it runs or waits
  std::coroutine_handle<typename Task<ResultOfAwait<A>>::promise_type> frame_;
};

template <class A>
using BranchPointer = std::unique_ptr<Branch<A>>;

class JoinWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  explicit JoinWait(Join& join) : join_(join) {}
  bool is_ready() const { return join_.is_over(); }
  bool start(Waiter& waiter) {
    join_.await(&waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { join_.await(nullptr); }
  void take() const noexcept {}
  std::string describe() const { return "for all() or any() of what it awaits at a time"; }

 private:
  Join& join_;
};

/// Starts them in order; none once the awaiter has what it waits for, so that what it would take stays where it is.
template <class... A>
std::tuple<BranchPointer<A>...> start(Join& join, Root* root, A&... awaitables) {
  std::size_t index = 0;
  std::tuple<BranchPointer<A>...> branches;
  std::apply([&](auto&... branch) { ((branch.reset(new Branch<A>(join, index++, awaitables))), ...); }, branches);
  std::apply([&](auto&... branch) { ((join.is_over() ? void() : branch->start(root)), ...); }, branches);
  return branches;
}

template <class Result, class Branches, std::size_t... I>
Result take_first(Branches& branches, std::size_t first, std::index_sequence<I...>) {
  std::optional<Result> result;
  ((first == I ? (void)result.emplace(std::in_place_index<I>, std::get<I>(branches)->take()) : void()), ...);
  return std::move(*result);
}

/// How the coroutines below take what they are to await: tasks they keep, also those that have a name, since a task
/// that is given up ends, and one that went on would resume who is gone. Anything else is used where it is.
template <class A>
struct KeptAs {
  using type = A&&;
};
template <class T>
struct KeptAs<Task<T>> {
  using type = Task<T>;
};
template <class T>
struct KeptAs<Task<T>&> {
  using type = Task<T>;
};
template <class A>
using Kept = typename KeptAs<A>::type;

template <class A>
auto&& given(std::remove_reference_t<A>& awaitable) {
  if constexpr (is_task<std::remove_reference_t<A>>)
    return std::move(awaitable);
  else
    return static_cast<A&&>(awaitable);
}

template <class... A>
using ResultsOf = std::tuple<ResultOfAwait<std::remove_reference_t<A>>...>;
template <class... A>
using FirstOf = std::variant<ResultOfAwait<std::remove_reference_t<A>>...>;

template <class... A>
Task<ResultsOf<A...>> await_all(Kept<A>... awaitables) {
  Join join(sizeof...(A), false);
  auto running = start(join, co_await OwnRoot{}, awaitables...);
  co_await Awaitable<JoinWait>(join);
  co_return std::apply([](auto&... branch) { return ResultsOf<A...>{branch->take()...}; }, running);
}

template <class... A>
Task<FirstOf<A...>> await_any(Kept<A>... awaitables) {
  Join join(sizeof...(A), true);
  auto running = start(join, co_await OwnRoot{}, awaitables...);
  co_await Awaitable<JoinWait>(join);
  co_return take_first<FirstOf<A...>>(running, *join.first(), std::index_sequence_for<A...>{});
}

}  // namespace branches

/// Runs tasks (or anything else that can be awaited) side by side: `co_await all(a, b, ...)` gives a tuple of their
/// results, Nothing for void, when all have ended. An exception of one is thrown then. To be awaited at once, unless
/// all arguments are tasks: these are taken, also out of variables, and others are used where they are.
template <class... A>
Task<branches::ResultsOf<A...>> all(A&&... awaitables) {
  return branches::await_all<A...>(branches::given<A>(awaitables)...);
}

/// Same as all(), but until the first has ended: gives its result in a variant whose index says which. The others are
/// given up: what they waited for stays where it is, and tasks end where they wait. Do not await them again.
template <class... A>
Task<branches::FirstOf<A...>> any(A&&... awaitables) {
  return branches::await_any<A...>(branches::given<A>(awaitables)...);
}

/// Runs any number of tasks of one type side by side and gives their results in order.
template <class T>
Task<std::vector<ValueOf<Task<T>>>> all(std::vector<Task<T>> tasks) {
  branches::Join join(tasks.size(), false);
  std::vector<branches::BranchPointer<Task<T>>> running;
  for (Task<T>& task : tasks) running.emplace_back(new branches::Branch<Task<T>>(join, running.size(), task));
  Root* const root = co_await OwnRoot{};
  for (auto& branch : running) branch->start(root);
  co_await Awaitable<branches::JoinWait>(join);
  std::vector<ValueOf<Task<T>>> results;
  for (auto& branch : running) results.push_back(branch->take());
  co_return results;
}

}  // namespace kaon::chares

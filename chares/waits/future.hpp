// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "kaon/chares/waits/callback.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

namespace futures {

template <class... T>
struct Told {
  using Value = std::tuple<T...>;
  using Awaited = Value;
};
template <class T>
struct Told<T> {
  using Value = T;
  using Awaited = T;
};
template <>
struct Told<> {
  using Value = Nothing;
  using Awaited = void;
};

[[noreturn]] void throw_empty();
[[noreturn]] void throw_awaited_twice();
[[noreturn]] void throw_not_expected(PeId pe);
/// Throws UsageError for a PE that the run does not have.
Pe& calling_pe(PeId to);
std::string describe(PeId pe);

/// The slot of the PE, as a callback keeps it.
std::uint64_t as_number(ReplyTo slot);
ReplyTo as_slot(std::uint64_t number);

template <class V>
void tell(Pe& pe, ReplyTo slot, V value) {
  const auto closed = pe.replies().template close<V>(slot);
  if (!closed.is_expected) throw_not_expected(pe.id());
  if (closed.receiver == nullptr) return;
  closed.result->set(std::move(value));
  closed.receiver->run(*closed.receiver, pe);
}

struct Kind {
  template <class... T>
  static void send(const CallbackTarget& to, T&&... values) {
    using Value = typename Told<T...>::Value;
    RemoteProcedure<&tell<Value>, Counting::counted>::send(calling_pe(to.place), to.place, as_slot(to.number),
                                                           Value{std::move(values)...});
  }
};

/// Where the value comes to: at one place, however the future is moved.
template <class Value>
class State final : public Work {
 public:
  explicit State(Pe& pe) : pe_(pe) {
    run = [](Work& self, Pe& here) { static_cast<State&>(self).be_told(here); };
    slot_ = pe.replies().open(*this, result_);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!is_told_ && !is_ignored_) (void)pe_.replies().close_failed(slot_);
  }

  /// One without a callback is told by nothing, so its slot is free at once.
  void ignore() {
    if (!is_told_ && has_callback_)
      pe_.replies().abandon(slot_);
    else if (!is_told_)
      (void)pe_.replies().close_failed(slot_);
    is_ignored_ = true;
  }
  bool is_told() const { return is_told_; }
  void await(Waiter& waiter) {
    if (waiter_ != nullptr) throw_awaited_twice();
    waiter_ = &waiter;
  }
  void forget() { waiter_ = nullptr; }
  Value take() {
    if (std::exchange(is_taken_, true)) throw_awaited_twice();
    return result_.take();
  }
  PeId pe() const { return pe_.id(); }
  /// Returns the slot for a callback, and records that there is one.
  ReplyTo give_slot() {
    has_callback_ = true;
    return slot_;
  }

 private:
  void be_told(Pe& here) {
    is_told_ = true;
    if (Waiter* waiter = std::exchange(waiter_, nullptr)) waiter->run(*waiter, here);
  }

  Pe& pe_;
  ReplyTo slot_;
  Result<Value> result_;
  Waiter* waiter_ = nullptr;
  bool is_told_ = false, is_taken_ = false, is_ignored_ = false, has_callback_ = false;
};

/// The wait for the value. A message brings it, from anywhere, so the wait does not hold off quiescence.
template <class Value, class Awaited>
class Wait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  explicit Wait(State<Value>* state) : state_(state) {
    if (state == nullptr) throw_empty();
  }
  bool is_ready() const { return state_->is_told(); }
  bool start(Waiter& waiter) {
    state_->await(waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { state_->forget(); }
  Awaited take() {
    if constexpr (std::is_void_v<Awaited>)
      (void)state_->take();
    else
      return state_->take();
  }
  std::string describe() const { return futures::describe(state_->pe()); }

 private:
  State<Value>* state_;
};

}  // namespace futures

/// A value that is to come, once: `future.callback()` goes along with messages to whoever will know it, on any PE, and
/// `co_await future` gives it to a task on the PE that made the future. Several values come as a tuple. Telling it a
/// second time, or when the future is no more, ends the run with a UsageError.
template <class... T>
class [[nodiscard]] Future {
  using Value = typename futures::Told<T...>::Value;
  using Awaited = typename futures::Told<T...>::Awaited;

 public:
  /// Makes an empty future, to be assigned to.
  Future() = default;
  explicit Future(Pe& pe) : state_(std::make_unique<futures::State<Value>>(pe)) {}

  /// The callback that sets the value. Throws UsageError for an empty future.
  Callback<T...> callback() const {
    if (state_ == nullptr) futures::throw_empty();
    return CallbacksOf<futures::Kind, T...>::make({state_->pe(), 0, futures::as_number(state_->give_slot())});
  }
  /// True if the value is there.
  bool is_ready() const { return state_ != nullptr && state_->is_told(); }
  /// Nobody waits for it any more, and when it is told nothing happens. Its slot, of 32 bytes, stays until it is told.
  void ignore() {
    if (state_ != nullptr) state_->ignore();
    state_.reset();
  }

  /// Throws UsageError when it is awaited a second time at once, or has given its value, or is of nothing. An await
  /// that any() gave up may be made again.
  Awaitable<futures::Wait<Value, Awaited>> operator co_await() const {
    return Awaitable<futures::Wait<Value, Awaited>>(state_.get());
  }

 private:
  std::unique_ptr<futures::State<Value>> state_;
};

}  // namespace kaon::chares

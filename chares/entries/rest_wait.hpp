// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/elements/resting.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/entries/entry_task.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

/// A coroutine that waits at a point of rest of its element: what does not depend on the entry that may go on in its
/// stead.
class RestingTask : public Resting {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  RestingTask(const RestingTask&) = delete;
  RestingTask& operator=(const RestingTask&) = delete;

  bool is_ready() const noexcept { return false; }
  void take() const {
    if (error_) std::rethrow_exception(error_);
  }

  Message& leave() final;
  void stay() final;
  void fail(const std::exception_ptr& error) final;

 protected:
  /// `what` is what the program calls, and `result_kind` of the entry that is to go on.
  RestingTask(ElementBase& element, const char* what, const void* result_kind)
      : element_(element), what_(what), result_kind_(result_kind) {}
  ~RestingTask() = default;

  /// Throws UsageError when the task is no entry of the element, goes on side by side with others of its entry, or is
  /// awaited for a result that the other entry does not give.
  void begin(Waiter& waiter);
  virtual Message& make_continuation() = 0;

  ElementBase& element_;

 private:
  const char* what_;
  const void* result_kind_;
  Waiter* waiter_ = nullptr;
  EntryTaskBase* task_ = nullptr;  // nullptr: it does not wait, or has been told
  std::exception_ptr error_;
};

/// A RestingTask whose entry E continues after the move. A derived class defines `start` and `give_up`.
template <auto E, class C>
class RestingEntry : public RestingTask {
 protected:
  using Target = Entry<E, C>;

  template <class... A>
  RestingEntry(ElementBase& element, const char* what, A&&... arguments)
      : RestingTask(element, what, &kResultKind<typename Target::Value>), arguments_(std::forward<A>(arguments)...) {}
  ~RestingEntry() = default;

 private:
  Message& make_continuation() override {
    const ElementTable& table = ElementAccess::table(element_);
    Message& message = std::apply(
        [&](auto&... values) -> Message& { return Target::make(table.pe(), std::move(values)...); }, arguments_);
    message.collection = table.id();
    message.element = table.number_of(element_);
    return message;
  }

  typename Target::Arguments arguments_;
};

/// The awaitable that at_rest() returns: goes on at once unless the element is about to move.
template <auto E, class C>
class RestWait final : public RestingEntry<E, C> {
 public:
  template <class... A>
  explicit RestWait(ElementBase& element, A&&... arguments)
      : RestingEntry<E, C>(element, "at_rest()", std::forward<A>(arguments)...) {}

  bool start(Waiter& waiter) {
    ElementTable& table = ElementAccess::table(this->element_);
    this->begin(waiter);
    const std::uint64_t element = table.number_of(this->element_);
    if (!table.departures().is_leaving(element)) return true;
    table.departures().resting().set(element, this);
    table.departures().element_is_at_rest(element);
    return false;
  }
  void give_up(Waiter&) noexcept { forget(); }
  void take() {
    forget();
    RestingTask::take();
  }
  std::string describe() const { return "at_rest() until its other entries have ended, to move"; }

 private:
  void forget() noexcept {
    ElementTable& table = ElementAccess::table(this->element_);
    table.departures().resting().erase(table.number_of(this->element_));
  }
};

}  // namespace kaon::chares

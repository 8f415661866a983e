// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::chares {

/// Its address tells types of results apart.
template <class V>
inline constexpr char kResultKind = 0;

/// A result for a receiver on this PE that another PE is to give: an entry that has the receiver of a broadcast's
/// results moves with its element, the receiver does not.
template <class V>
class TravellingResult final : public Activity {
 public:
  /// Where an entry on any PE may give what is for `to`.
  static ResultTo open(Pe& pe, const ResultTo& to) {
    if (to.receiver == nullptr) return to;
    auto& self = make<TravellingResult>(pe.activities(), pe.pool(), to);
    self.slot_ = pe.replies().open(self, self.result_);
    return {pe.id(), self.slot_};
  }

  explicit TravellingResult(const ResultTo& to) : to_(to) {
    run = [](Work& work, Pe& pe) { static_cast<TravellingResult&>(work).pass_on(pe); };
  }

  void give_up() noexcept override {
    this_pe().replies().abandon(slot_);
    end();
  }

 private:
  ~TravellingResult() override = default;

  void pass_on(Pe& pe) {
    const ResultTo to = to_;
    Result<V> result = std::move(result_);
    end();
    if (result.error())
      give_failure(pe, to, result.error());
    else
      give<V>(pe, to, result.take());
  }

  ResultTo to_;
  ReplyTo slot_;
  Result<V> result_;
};

/// An entry that is a coroutine, from its start by a message to its end, when its result, or the exception that left
/// it, goes to who asked. This is what does not depend on the type of the result.
class EntryTaskBase : public Activity, public Root {
 public:
  void say_name(ShortText& text) const override;
  const void* element() const override { return &element_; }
  /// Its message was landed in the element's memory, which is free when the task ends.
  void hold_landing(const void* message);
  /// The element or the run ends first.
  void give_up() noexcept override;

  // --- for an element that leaves while this is at a point of rest
  bool is_awaited() const { return to_.reply || to_.receiver != nullptr; }
  /// Equal for entries that give results of one type.
  virtual const void* result_kind() const = 0;
  /// Ends it. Who awaits its result is to get that of another entry, which may run on any PE.
  virtual ResultTo hand_over() = 0;

 protected:
  EntryTaskBase(Pe& pe, ElementBase& element, const EntryRecord& record, const ResultTo& to)
      : Root(pe), to_(to), element_(element), record_(record) {
    kind = record.id;
  }
  ~EntryTaskBase() override = default;

  void fail(Pe& pe, const std::exception_ptr& error) noexcept;
  /// Ends it, and says so to what waits for that.
  void leave() noexcept;

  ResultTo to_;

 private:
  void free_landing() noexcept;

  ElementBase& element_;
  const EntryRecord& record_;
  bool holds_landing_ = false;
};

/// T is the entry's type of result, a Task.
template <class T>
class EntryTask final : public EntryTaskBase {
  using Handle = std::coroutine_handle<typename T::promise_type>;

 public:
  static EntryTask& make(Pe& pe, ElementBase& element, const EntryRecord& record, T&& task, const ResultTo& to) {
    return Activity::make<EntryTask>(ElementAccess::suspended(element), pe.pool(), pe, element, record, std::move(task),
                                     to);
  }
  void start(Pe& pe) {
    Root* const before = pe.switch_root(this);
    frame_.promise().start(frame_, *this, this);  // which may end this
    pe.switch_root(before);
  }

  EntryTask(Pe& pe, ElementBase& element, const EntryRecord& record, T&& task, const ResultTo& to)
      : EntryTaskBase(pe, element, record, to), frame_(task.release()) {
    run = [](Work& work, Pe& here) {
      auto& self = static_cast<EntryTask&>(work);
      self.finish(here);
      self.leave();
    };
  }

  const void* result_kind() const override { return &kResultKind<ValueOf<T>>; }
  ResultTo hand_over() override {
    const ResultTo to = TravellingResult<ValueOf<T>>::open(this_pe(), to_);
    end();
    return to;
  }

 private:
  ~EntryTask() override { runtime::destroy_frame(frame_); }

  void finish(Pe& pe) noexcept {
    auto& promise = frame_.promise();
    if (promise.error()) return fail(pe, promise.error());
    try {
      give_value(pe, promise);
    } catch (...) {
      fail(pe, std::current_exception());
    }
  }

  void give_value(Pe& pe, typename T::promise_type& promise) {
    if constexpr (std::is_void_v<typename T::value_type>)
      give(pe, to_, Nothing{});
    else
      give<typename T::value_type>(pe, to_, promise.take());
  }

  Handle frame_;
};

}  // namespace kaon::chares

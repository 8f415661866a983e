// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// Ends the run because of an exception that left an entry. Called where nothing may be thrown: the scheduler throws.
void raise_later(Pe& pe, std::string place, std::exception_ptr error) noexcept;
/// The place: an entry of an element.
std::string name_entry(const EntryRecord& record, const ElementBase& element);

/// An entry that is a coroutine, from its start by a message to its end, when its result goes to who asked.
/// T is the entry's type of result, a Task.
template <class T>
class EntryTask : public RootTask {
  using Handle = std::coroutine_handle<typename T::promise_type>;

 public:
  static void start(Pe& pe, ElementBase& element, const EntryRecord& record, T&& task, const ResultTo& to) {
    auto* self = new (pe.pool().allocate(sizeof(EntryTask))) EntryTask(element, record, task.release(), to);
    ElementTable::add_suspended(element, *self);
    self->frame_.promise().start_as_root(self->frame_, *self);
  }

 private:
  EntryTask(ElementBase& element, const EntryRecord& record, Handle frame, const ResultTo& to)
      : element_(element), record_(record), frame_(frame), to_(to) {
    finished = [](RootTask& task) { static_cast<EntryTask&>(task).end(); };
    abandoned = [](RootTask& task) { static_cast<EntryTask&>(task).destroy(); };
  }

  void end() {
    Pe& pe = this_pe();
    ElementTable::remove_suspended(element_, *this);
    auto& promise = frame_.promise();
    if (promise.error())
      raise_later(pe, name_entry(record_, element_), promise.error());
    else
      give(pe, promise);
    destroy();
  }

  void give(Pe& pe, typename T::promise_type& promise) {
    if constexpr (std::is_void_v<typename T::value_type>)
      give_result(pe, to_, Nothing{});
    else
      give_result<typename T::value_type>(pe, to_, promise.take());
  }

  void destroy() {
    frame_.destroy();
    Pool& pool = this_pe().pool();
    this->~EntryTask();
    pool.release(this, sizeof(EntryTask));
  }

  ElementBase& element_;
  const EntryRecord& record_;
  Handle frame_;
  ResultTo to_;
};

}  // namespace kaon::chares

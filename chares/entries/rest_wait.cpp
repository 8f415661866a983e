// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/rest_wait.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

void RestingTask::begin(Waiter& waiter) {
  const Root* const root = waiter.root();
  if (root == nullptr || root->element() != &element_)
    throw UsageError(std::string(what_) + " was awaited by another than an entry of the same chare");
  if (root->strands() != 1)
    throw UsageError(std::string(what_) + " was awaited beside other things by all() or any(): await it alone");
  ElementTable& table = ElementAccess::table(element_);
  // each would wait for the other to end, for ever
  if (table.departures().resting().contains(table.number_of(element_)))
    throw UsageError(std::string(what_) + " was awaited by two entries of " + table.name_of(table.number_of(element_)) +
                     " at once, of which one is to be moved: let one of them rest at a time");
  auto& task = static_cast<EntryTaskBase&>(const_cast<Root&>(*root));  // the roots that have elements
  if (task.is_awaited() && task.result_kind() != result_kind_)
    throw UsageError(std::string(what_) + " names an entry that gives another type of result than " + task.name() +
                     ", which is awaited");
  waiter_ = &waiter;
  task_ = &task;
}

Message& RestingTask::leave() {
  Message& message = make_continuation();
  const ResultTo to = task_->hand_over();  // which ends this
  message.source = to.pe;
  message.reply = to.reply;
  message.flags |= kContinuation;
  return message;
}

void RestingTask::stay() { waiter_->resume_soon(); }

void RestingTask::fail(const std::exception_ptr& error) {
  error_ = error;
  waiter_->resume_soon();
}

}  // namespace kaon::chares

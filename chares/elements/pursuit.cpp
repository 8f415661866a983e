// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/pursuit.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {
namespace {

using Question = MessageFunctions<>;

/// Goes where the element is, as a message for it would.
void answer_question(Work& work, Pe& pe) {
  auto& message = static_cast<Question::Typed&>(work);
  pe.running().note(message, RunningEntry::kNoElement);
  ElementTable* table = find_table(pe.collections(), message.collection);
  if (table == nullptr) return take_absent(message, pe);
  if (table->find(message.element) == nullptr) return table->forwarding().forward(message);
  const ResultTo to{message.source, message.reply};
  const Whereabouts here{pe.id(), table->forwarding().moves_of(message.element)};
  Question::destroy(message, pe.pool());
  pe.count_done();
  give_result<Whereabouts>(pe, to, here);
}

void answer_that_it_is_gone(Pe& pe, PeId to, ReplyTo slot) {
  give_failure(pe, {to, slot}, std::make_exception_ptr(UsageError("an element was looked for that is no more")));
}

EntryRecord make_question_record() {
  EntryRecord made = Question::record("the question where an element is", &answer_question, &kAnyCollection);
  made.element_is_gone = &answer_that_it_is_gone;
  made.needs_no_room = true;  // what it is asked for may need none either
  return made;
}

EntryRecord question_record = make_question_record();
const EntryRecord* const question = enlist(question_record);

}  // namespace

Pursuit::Pursuit(ElementTable& table, std::uint64_t element)
    : table_(table), element_(element), moves_(table.forwarding().moves_of(element)) {
  run = [](Work& self, Pe&) { static_cast<Pursuit&>(self).answered(); };
  table.forwarding().pursuits().set(element, this);
}

Pursuit::~Pursuit() {
  Pe& pe = table_.pe();
  pe.replies().abandon(question_);
  while (Work* work = held_.take()) {
    auto& message = static_cast<Message&>(*work);
    message.entry->destroy(message, pe.pool());
  }
  table_.forwarding().pursuits().erase(element_);
}

Pursuit& Pursuit::of(ElementTable& table, std::uint64_t element) {
  if (const auto begun = table.forwarding().pursuits().find(element)) return **begun;
  Pe& pe = table.pe();
  return make<Pursuit>(pe.activities(), pe.pool(), table, element);
}

// A question is never held: two PEs could wait for each other's.
bool Pursuit::keeps(ElementTable& table, Message& message) {
  if (message.entry == question) return false;
  Pursuit& self = of(table, message.element);
  if (self.sent_ == self.window_) {
    self.held_.add(message);
    return true;
  }
  if (++self.sent_ == self.window_) self.ask();
  return false;
}

// Held are messages only while a question is under way.
void Pursuit::element_ended(ElementTable& table, std::uint64_t element) {
  const auto begun = table.forwarding().pursuits().find(element);
  if (begun && !(*begun)->question_) (*begun)->end();
}

void Pursuit::ask() {
  Pe& pe = table_.pe();
  Message& message = Question::make(pe.pool(), *question);
  message.collection = table_.id();
  message.element = element_;
  message.reply = question_ = pe.replies().open(*this, answer_);
  pe.route(message, table_.find(element_) != nullptr ? pe.id() : table_.forwarding().where(element_));
}

void Pursuit::answered() {
  question_ = {};
  if (answer_.error()) {  // it is no more, which those who are sent on will find out
    window_ = kMost;
  } else {
    const Whereabouts now = answer_.value();
    if (!table_.is_sparse()) table_.locations().learn(element_, now);  // else its home hears of each move
    window_ = now.moves == std::exchange(moves_, now.moves) ? std::min(2 * window_, kMost) : kLeast;
  }
  answer_.reset();
  send_on_held();
}

void Pursuit::send_on_held() {
  for (sent_ = 0; sent_ < window_ && !held_.empty(); ++sent_)
    table_.forwarding().pass_on(static_cast<Message&>(*held_.take()));
  if (sent_ == window_)
    ask();
  else
    end();
}

void Pursuit::drop_all() {
  while (Work* message = held_.take()) drop(static_cast<Message&>(*message), table_.pe(), kArrayDestroyed);
  end();
}

}  // namespace kaon::chares

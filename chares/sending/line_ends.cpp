// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/line_ends.hpp"

#include <exception>
#include <tuple>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/sending/broadcast_turns.hpp"
#include "kaon/chares/sending/receiver_table.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/reply.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/result.hpp"

namespace kaon::chares::line_ends {
namespace {

using runtime::Activity;

constexpr int kLinesOfPe = 40;  // bits: as in orders.cpp

/// A line to an element that has ended, of which so many turns have run.
struct LineTo {
  std::uint64_t element;
  std::uint64_t line;
  std::uint64_t next;
  CollectionId collection;
  std::uint32_t reserved = 0;
};

// --- the receiver has ended

using Question = MessageFunctions<LineTo>;

void answer(Message& message, Pe& pe, bool is_over) {
  const ResultTo to{message.source, message.reply};
  Question::destroy(message, pe.pool());
  pe.count_done();
  give_result<bool>(pe, to, is_over);
}

/// Goes where the sender is, as a message for it would.
void ask_sender(Work& work, Pe& pe) {
  auto& message = static_cast<Question::Typed&>(work);
  ElementTable* const table = table_of_receiver(message, pe);
  if (table == nullptr) return;
  const LineTo line = std::get<0>(message.arguments);
  answer(message, pe,
         table->part<Orders>().end_line_out(message.element, line.collection, line.element, line.line, line.next));
}

/// On the PE of who is no element.
void ask_pe(Work& work, Pe& pe) {
  auto& message = static_cast<Question::Typed&>(work);
  note_running(pe, message);
  const LineTo line = std::get<0>(message.arguments);
  Orders* const orders = orders_of_no_element(pe, line.collection, line.element);
  const bool is_over = orders == nullptr ||
                       orders->end_line_out(Orders::kNoElement, line.collection, line.element, line.line, line.next);
  answer(message, pe, is_over);
}

void answer_for_gone_sender(Pe& pe, PeId to, ReplyTo slot) { give_result<bool>(pe, {to, slot}, true); }

EntryRecord make_question_of_element() {
  EntryRecord made = Question::record("the question whether a line of ordered messages is over", &ask_sender,
                                      &runtime::kAnyCollection);
  made.element_is_gone = &answer_for_gone_sender;
  made.needs_no_room = true;
  return made;
}
EntryRecord make_question_of_pe() {
  EntryRecord made = Question::record("the question to a PE whether a line of ordered messages is over", &ask_pe);
  made.needs_no_room = true;
  return made;
}

EntryRecord record_of_element = make_question_of_element();
const EntryRecord* const question_of_element = enlist(record_of_element);
EntryRecord record_of_pe = make_question_of_pe();
const EntryRecord* const question_of_pe = enlist(record_of_pe);

/// From the end of a receiver to the answer of one of its senders.
class LineEnd final : public Activity {
 public:
  LineEnd(Pe& pe, CollectionId collection, std::uint64_t element, const LineIn& line)
      : pe_(pe), collection_(collection), element_(element), line_(line) {
    run = [](Work& self, Pe&) { static_cast<LineEnd&>(self).answered(); };
  }

  void ask() {
    const bool is_of_element = line_.sender != Orders::kNoElement;
    Message& message = Question::make(pe_.pool(), is_of_element ? *question_of_element : *question_of_pe,
                                      LineTo{element_, line_.line, line_.next, collection_});
    message.reply = reply_ = pe_.replies().open(*this, answer_);
    if (is_of_element)
      pe_.route(addressed(message, line_.senders, line_.sender), pe_.id());  // and on from here
    else
      pe_.route(message, static_cast<PeId>(line_.line >> kLinesOfPe));
  }

 private:
  ~LineEnd() override { pe_.replies().abandon(reply_); }

  void answered() {
    reply_ = {};
    const bool is_over = answer_.error() != nullptr || answer_.value();  // an error: the senders' array is no more
    ElementTable* const table = find_table(pe_.collections(), collection_);
    Orders* const orders = table != nullptr ? table->find_part<Orders>() : nullptr;
    if (is_over && orders != nullptr) orders->forget_line_in(element_, line_);
    end();
  }

  Pe& pe_;
  CollectionId collection_;
  std::uint64_t element_;
  LineIn line_;
  ReplyTo reply_;
  runtime::Result<bool> answer_;
};

// --- the sender has ended

using End = MessageFunctions<LineIn>;

void end_at_receiver(Work& work, Pe& pe) {
  auto& message = static_cast<End::Typed&>(work);
  ElementTable* const table = table_of_receiver(message, pe);
  if (table == nullptr) return;
  table->part<Orders>().end_line_in(message.element, std::get<0>(message.arguments));
  End::destroy(message, pe.pool());
  pe.count_done();
}

EntryRecord make_end_record() {
  EntryRecord made = End::record("the end of a line of ordered messages", &end_at_receiver, &runtime::kAnyCollection);
  made.element_is_gone = [](Pe&, PeId, ReplyTo) {};
  made.needs_no_room = true;
  return made;
}

EntryRecord end_record = make_end_record();
const EntryRecord* const listed_end = enlist(end_record);

}  // namespace

void sender_has_ended(Pe& pe, const std::vector<LineOut>& lines) {
  for (const LineOut& each : lines) {
    const CollectionId to = Orders::collection_of_line(each.collection);
    if (pe.collections().was_removed(to)) continue;
    const std::uint64_t sender = 0;  // nobody asks for it any more
    if (to != each.collection) {
      end_broadcasts(pe, to, {.line = each.line, .turn = each.next, .senders = each.senders, .sender = sender});
      continue;
    }
    Message& message =
        End::make(pe.pool(), *listed_end,
                  LineIn{.line = each.line, .next = 0, .senders = each.senders, .sender = sender, .end = each.next});
    pe.route(addressed(message, to, each.element), pe.id());  // and on from here
  }
}

void receiver_has_ended(ElementTable& table, std::uint64_t element, const std::vector<LineIn>& lines) {
  Pe& pe = table.pe();
  for (const LineIn& each : lines)
    Activity::make<LineEnd>(pe.activities(), pe.pool(), pe, table.id(), element, each).ask();
}

}  // namespace kaon::chares::line_ends

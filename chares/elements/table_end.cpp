// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/table_end.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

TableEnd::TableEnd(ElementTable& table, SendOff send_off, Work& ended)
    : table_(table), send_off_(send_off), ended_(ended), walk_(table.elements()) {
  run = &look;
}

void TableEnd::start(ElementTable& table, SendOff send_off, Work& ended) {
  Pe& pe = table.pe();
  pe.count_made();  // until it is over: nobody may await it
  pe.waits().count_dependent(1);
  TableEnd& self = make<TableEnd>(pe.activities(), pe.pool(), table, send_off, ended);
  table.begin_end(self);
  self.look_soon();
}

void TableEnd::look_soon() {
  if (std::exchange(is_queued_, true)) return;
  table_.pe().count_made();
  table_.pe().enqueue(*this);
}

// Made beside that of a leader, of whose entries not all had run.
void TableEnd::element_came() {
  if (!walk_) walk_.emplace(table_.elements());
  place_ = 0;
  look_soon();
}

void TableEnd::look(Work& work, Pe& pe) {
  auto& self = static_cast<TableEnd&>(work);
  pe.count_done();
  const bool are_all_sent_off = !self.walk_ || self.send_some_off();  // as those that go say so here
  self.is_queued_ = false;
  if (!are_all_sent_off) return self.look_soon();
  self.walk_.reset();
  if (self.is_unused()) self.finish(pe);
}

bool TableEnd::is_unused() const {
  const Elements& elements = table_.elements();
  return elements.count() == 0 && !elements.is_walked() && !table_.reductions().has_queued() &&
         !table_.sections().have_queued();
}

bool TableEnd::send_some_off() {
  constexpr std::uint64_t kElementsAtATime = 512;
  const Elements& elements = table_.elements();
  const std::uint64_t stop = std::min(place_ + kElementsAtATime, elements.places());
  for (; place_ < stop; ++place_)
    if (ElementBase* element = elements.at_place(place_)) send_off_(table_, *element);
  return place_ >= elements.places();
}

void TableEnd::finish(Pe& pe) {
  pe.held_sends().send(pe);  // also what is for this array: elsewhere it is dropped, and counted so
  Work& ended = ended_;
  ElementTable& table = table_;
  end();
  table.each_part([](TablePart& part) { part.table_ends(); });
  const auto error = std::make_exception_ptr(
      UsageError("a contribution was awaited whose array was destroyed: no result of it will come"));
  table.reductions().fail(error);
  table.sections().fail(error);
  bonds::untie(table);
  pe.collections().remove(table.id());
  ended.run(ended, pe);
  pe.waits().count_dependent(-1);
  pe.count_done();
}

}  // namespace kaon::chares

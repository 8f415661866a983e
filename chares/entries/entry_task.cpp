// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/entry_task.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::chares {

void EntryTaskBase::say_name(ShortText& text) const {
  text << "the entry " << entry_name(record_.name).name << " of ";
  const ElementTable& table = ElementAccess::table(element_);
  static_cast<const Collection&>(table).say_name(table.number_of(element_), text);
}

void EntryTaskBase::hold_landing(const void* message) {
  ElementTable& table = ElementAccess::table(element_);
  table.holds().change_key(table.number_of(element_), message, this);
  holds_landing_ = true;
}

void EntryTaskBase::free_landing() noexcept {
  if (!holds_landing_) return;
  ElementTable& table = ElementAccess::table(element_);
  table.holds().free(table.number_of(element_), this);
}

void EntryTaskBase::fail(Pe& pe, const std::exception_ptr& error) noexcept {
  pe.failures().note_origin(error, name());
  try {
    if (!give_failure(pe, to_, error)) pe.fail(error, name());
  } catch (...) {  // there is no room for it
    pe.fail(std::current_exception(), name());
  }
}

void EntryTaskBase::leave() noexcept {
  free_landing();
  ElementTable& table = ElementAccess::table(element_);
  ElementBase& element = element_;
  end();
  if (ElementAccess::suspended(element).empty() || !table.departures().resting().empty())
    table.departures().element_is_at_rest(table.number_of(element));
}

void EntryTaskBase::give_up() noexcept {
  Pe& pe = this_pe();
  free_landing();
  if ((to_.reply || to_.receiver != nullptr) && !pe.is_stopped()) {
    const auto error = std::make_exception_ptr(UsageError(name() + " was awaited, but the element was deleted"));
    (void)give_failure(pe, to_, error);
  }
  end();
}

}  // namespace kaon::chares

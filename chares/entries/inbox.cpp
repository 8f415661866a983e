// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/entries/inbox.hpp"

#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares::inbox {
namespace {

thread_local std::size_t lost = 0;

}  // namespace

void note_lost(std::size_t messages) noexcept { lost += messages; }
std::size_t take_lost() noexcept { return std::exchange(lost, 0); }

const EntryRecord& record_of(std::uint32_t entry) {
  const EntryRecord* record = this_pe().process().entries().find(entry);
  if (record == nullptr)
    throw CorruptMessage("an inbox came with messages for an entry that this program does not have");
  return *record;
}

std::string name_of(const void* inbox, const Waiter* waiter, const std::string& message_type) {
  const void* element = waiter != nullptr && waiter->root() != nullptr ? waiter->root()->element() : nullptr;
  if (element != nullptr) {
    const ElementType* type = &ElementAccess::table(*static_cast<const ElementBase*>(element)).type();
    for (const EntryRecord* record : this_pe().process().entries().records())
      if (record->inbox_of != nullptr && record->chare_type == type->family && record->inbox_of(element) == inbox)
        return "its inbox " + readable_name(record->name);
  }
  return "an inbox of " + message_type + ", to which nothing in this program sends";
}

}  // namespace kaon::chares::inbox

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/waits/callback.hpp"

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares::callbacks {

const EntryRecord& find(std::uint32_t number, const char* values) {
  const EntryRecord* const record = EntryTable::freeze().find(number);
  if (record == nullptr || record->chare_type != values)
    throw CorruptMessage("a message holds a callback of a kind that this program does not have");
  return *record;
}

void throw_empty() {
  throw UsageError(
      "a callback that names nothing was to be sent: it was made by default; callback<&Chare::entry>(to) makes one");
}

void throw_message() { throw CorruptMessage("a message came whose entry is a kind of callback"); }

}  // namespace kaon::chares::callbacks

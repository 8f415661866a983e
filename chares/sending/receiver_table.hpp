// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// The table of the array of `message`, which begins to run, if the receiving element is on this PE. nullptr: the
/// message was forwarded or dropped, or waits until this PE has created the array.
ElementTable* table_of_receiver(Message& message, Pe& pe);

/// The same, also while the array is being destroyed, of a message for an entry of the element.
inline ElementTable* table_of_entry(Message& message, Pe& pe) {
  pe.running().note(message, message.element);
  ElementTable* const table = find_table(pe.collections(), message.collection);
  if (table == nullptr) [[unlikely]] {
    take_absent(message, pe);
    return nullptr;
  }
  if (table->find(message.element) != nullptr) [[likely]]
    return table;
  table->forwarding().forward(message);
  return nullptr;
}

}  // namespace kaon::chares

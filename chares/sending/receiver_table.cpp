// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/receiver_table.hpp"

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

ElementTable* table_of_receiver(Message& message, Pe& pe) {
  pe.running().note(message, RunningEntry::kNoElement);
  ElementTable* const table = living_table(message, pe);
  if (table == nullptr || table->find(message.element) != nullptr) return table;
  table->forwarding().forward(message);
  return nullptr;
}

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/receiver_table.hpp"

namespace kaon::chares {

ElementTable* table_of_receiver(Message& message, Pe& pe) {
  ElementTable* const table = table_to_run_on(message, pe);
  if (table == nullptr || table->find(message.element) != nullptr) return table;
  table->forwarding().forward(message);
  return nullptr;
}

}  // namespace kaon::chares

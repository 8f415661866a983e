// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/balancing/rebalance_wait.hpp"

#include "kaon/chares/balancing/balancing.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

void wait_at_barrier(ElementTable& table, std::uint64_t element, Resting& task) {
  balancing_of(table, "rebalance()").arrive(element, task);
}

void wait_at_barrier(ElementTable& table, Message& continuation) {
  if (table.balancing() != nullptr) return table.balancing()->arrive(continuation.element, continuation);
  continuation.entry->destroy(continuation, table.pe().pool());
  balancing_of(table, "rebalance_then()");
}

void leave_barrier(ElementTable& table, std::uint64_t element) noexcept {
  table.resting().erase(element);
  if (Balancing* const balancing = table.balancing()) balancing->forget(element);
}

void note_load(ElementTable& table, const ElementBase& element, double seconds) {
  if (Balancing* const balancing = table.balancing()) balancing->meter().add(table.number_of(element), seconds);
}

void note_traffic(ElementTable& table, const ElementBase& element, std::uint64_t to, double bytes) {
  if (Balancing* const balancing = table.balancing())
    balancing->meter().add_traffic({table.number_of(element), to, bytes});
}

}  // namespace kaon::chares

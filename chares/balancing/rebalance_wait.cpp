// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/balancing/rebalance_wait.hpp"

#include "kaon/chares/balancing/balancing.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

// One that goes on at once does so elsewhere when migrate_to() was called.
bool wait_at_barrier(ElementTable& table, ElementBase& element, Resting& task) {
  Balancing& balancing = balancing_of(table, "rebalance()");
  const std::uint64_t number = table.number_of(element);
  if (balancing.calls().is_to_wait(number)) {
    balancing.arrive(number, task);
    return true;
  }
  if (!table.departures().contains(number)) return false;
  table.resting().set(number, &task);
  table.element_is_at_rest(number);
  return true;
}

void wait_at_barrier(ElementTable& table, Message& continuation) {
  if (Balancing* const balancing = table.balancing()) {
    if (balancing->calls().is_to_wait(continuation.element))
      balancing->arrive(continuation.element, continuation);
    else
      table.pe().route(continuation, table.pe().id());
    return;
  }
  continuation.entry->destroy(continuation, table.pe().pool());
  balancing_of(table, "rebalance_then()");
}

void leave_barrier(ElementTable& table, std::uint64_t element) noexcept {
  table.resting().erase(element);
  if (Balancing* const balancing = table.balancing()) balancing->forget(element);
}

void note_load(ElementTable& table, const ElementBase& element, double seconds) {
  if (Balancing* const balancing = table.mover().balancing()) balancing->meter().add(table.number_of(element), seconds);
}

void note_traffic(ElementTable& table, const ElementBase& element, std::uint64_t to, double bytes) {
  if (Balancing* const balancing = table.mover().balancing())
    balancing->meter().add_traffic(table.number_of(element), to, bytes, 0);
}

}  // namespace kaon::chares

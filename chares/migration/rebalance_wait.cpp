// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/rebalance_wait.hpp"

#include "kaon/chares/migration/balancing.hpp"
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
  if (!table.departures().has_begun(number)) return false;
  table.departures().resting().set(number, &task);
  table.departures().element_is_at_rest(number);
  return true;
}

void wait_at_barrier(ElementTable& table, Message& continuation) {
  if (Balancing* const balancing = table.find_part<Balancing>()) {
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
  table.departures().resting().erase(element);
  if (Balancing* const balancing = table.find_part<Balancing>()) balancing->forget(element);
}

void note_load(ElementTable& table, const ElementBase& element, double seconds) {
  if (Balancing* const balancing = mover_of(table).find_part<Balancing>())
    balancing->meter().add(table.number_of(element), seconds);
}

void note_traffic(ElementTable& table, const ElementBase& element, std::uint64_t to, double bytes) {
  if (Balancing* const balancing = mover_of(table).find_part<Balancing>())
    balancing->meter().add_traffic(table.number_of(element), to, bytes, 0);
}

}  // namespace kaon::chares

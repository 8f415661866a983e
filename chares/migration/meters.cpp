// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/meters.hpp"

#include <cstddef>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares::meters {
namespace {

double seconds_of(std::uint64_t ticks) { return static_cast<double>(ticks) / ticks_per_us() * 1e-6; }

void charge(const void* element, std::uint64_t ticks) {
  const auto& chare = *static_cast<const ElementBase*>(element);
  const ElementTable& table = ElementAccess::table(chare);
  Balancing* const balancing = mover_of(table).find_part<Balancing>();
  const std::uint64_t number = table.number_of(chare);
  if (balancing != nullptr) balancing->meter().add(number, seconds_of(ticks));
  if (table.pe().has_accelerator()) table.pe().accelerator().meter().end_turn({table.id(), number});
}

std::size_t bytes_of(const Message& message) {
  const EntryRecord& entry = *message.entry;
  if (entry.bytes_held != nullptr) return entry.message_bytes + entry.bytes_held(message);
  std::vector<runtime::PayloadRecord*> payloads;
  Writer counted = Writer::collector(payloads);
  try {
    entry.pack(message, counted);
  } catch (...) {  // it may be handed over all the same
    return entry.message_bytes;
  }
  std::size_t bytes = sizeof(Message) + counted.bytes();
  for (const runtime::PayloadRecord* payload : payloads) bytes += payload != nullptr ? payload->bytes : 0;
  return bytes;
}

bool live_together(const ElementTable& table, const Message& message) {
  if (table.id() == message.collection) return message.entry->chare_type == table.type().family;
  const ElementTable* const other = find_table(table.pe().collections(), message.collection);
  return other != nullptr && &mover_of(*other) == &mover_of(table);
}

// From one element to another of the same array, or of those bound to it, in its first sender's turn; results of calls
// do not count.
void count(Pe& pe, const Message& message) {
  const auto* const sender = static_cast<const ElementBase*>(pe.turn_meter().element());
  if (sender == nullptr || message.hops != 0) return;
  if (message.flags & (runtime::kControlMessage | runtime::kBroadcastMessage)) return;
  const ElementTable& table = ElementAccess::table(*sender);
  if (!live_together(table, message)) return;
  Balancing* const balancing = mover_of(table).find_part<Balancing>();
  if (balancing == nullptr || !balancing->counts_traffic()) return;
  const std::uint64_t from = table.number_of(*sender);
  if (from != message.element)
    balancing->meter().add_traffic(from, message.element, static_cast<double>(bytes_of(message)), 1);
}

template <class Visit>
void each_balanced(Pe& pe, Visit visit) {
  pe.collections().each([&](const Collection& each) {
    const auto& table = static_cast<const ElementTable&>(each);
    if (table.find_part<Balancing>() != nullptr) visit(table);
  });
}

}  // namespace

void begin(Pe& pe) {
  pe.turn_meter().start(&charge);
  if (pe.has_accelerator()) pe.accelerator().meter().time_turns(true);
}

void look_at_traffic(Pe& pe) {
  bool is_counted = false;
  each_balanced(pe, [&](const ElementTable& table) {
    is_counted = is_counted || (!table.is_ending() && table.find_part<Balancing>()->counts_traffic());
  });
  pe.set_message_meter(is_counted ? &count : nullptr);
}

void end(ElementTable& ended) {
  Pe& pe = ended.pe();
  ended.find_part<Balancing>()->count_traffic(false);
  bool is_last = true;
  each_balanced(pe, [&](const ElementTable& table) { is_last = is_last && &table == &ended; });
  if (!is_last) return;
  pe.turn_meter().stop();
  if (pe.has_accelerator()) pe.accelerator().meter().time_turns(false);
}

}  // namespace kaon::chares::meters

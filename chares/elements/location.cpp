// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/location.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/handler.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace location_handlers {  // not unnamed: entries are told apart by their names

void learn(Pe& pe, CollectionId collection, std::uint64_t element, PeId where, std::uint32_t moves) {
  if (where >= pe.process().total_pes()) throw CorruptMessage("an element is said to be on a PE that does not exist");
  // a PE that has not made the collection yet has sent nothing there that could have gone astray
  if (auto* table = static_cast<ElementTable*>(pe.collection(collection))) table->learn(element, {where, moves});
}

void bury(Pe& pe, CollectionId collection, std::uint64_t element) {
  if (auto* table = static_cast<ElementTable*>(pe.collection(collection))) table->bury(element);
}

}  // namespace location_handlers

void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now) {
  Handler<&location_handlers::learn>::send(pe, to, collection, element, now.pe, now.moves);
}

void tell_deletion(ElementTable& table, std::uint64_t element) {
  constexpr PeId kRoot = 0;  // of reductions
  Pe& pe = table.pe();
  const PeId home = table.placement().home(element);
  table.bury(element);
  if (home != pe.id()) Handler<&location_handlers::bury>::send(pe, home, table.id(), element);
  if (kRoot != pe.id() && kRoot != home) Handler<&location_handlers::bury>::send(pe, kRoot, table.id(), element);
}

}  // namespace kaon::chares

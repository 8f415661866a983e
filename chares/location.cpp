// SPDX-License-Identifier: Apache-2.0
#include "chares/location.hpp"

#include "runtime/error.hpp"
#include "runtime/handler.hpp"
#include "runtime/process.hpp"

namespace kaon {
namespace location_handlers {  // not unnamed: entries are told apart by their names

void learn(Pe& pe, CollectionId collection, std::uint64_t element, PeId where, std::uint32_t moves) {
  if (where >= pe.process().total_pes()) throw CorruptMessage("an element is said to be on a PE that does not exist");
  // a PE that has not made the collection yet has sent nothing there that could have gone astray
  if (auto* table = static_cast<ElementTable*>(pe.collection(collection))) table->learn(element, {where, moves});
}

}  // namespace location_handlers

void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now) {
  Handler<&location_handlers::learn>::send(pe, to, collection, element, now.pe, now.moves);
}

}  // namespace kaon

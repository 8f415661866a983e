// SPDX-License-Identifier: Apache-2.0
#include "chares/location.hpp"

#include "runtime/handler.hpp"

namespace kaon {
namespace {

void handle_location(Pe& pe, CollectionId collection, std::uint64_t element, PeId where, std::uint32_t moves) {
  // a PE that has not made the collection yet has sent nothing there that could have gone astray
  if (auto* table = static_cast<ElementTable*>(pe.collection(collection))) table->learn(element, {where, moves});
}

}  // namespace

void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now) {
  Handler<&handle_location>::send(pe, to, collection, element, now.pe, now.moves);
}

}  // namespace kaon

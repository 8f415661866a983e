// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/destination.hpp"

#include <string>

#include "kaon/chares/elements/node_member.hpp"
#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares::proxy {

Pe& calling_pe() {
  if (Pe* pe = this_pe_or_null()) [[likely]]
    return *pe;
  throw UsageError(
      "a proxy was used on a thread that is no PE: use it in entries and in the main task, or "
      "post() what uses it to a PE by its Outside (runtime.outside())");
}

void check_named(CollectionId id) {
  if (id == kNoCollection) throw UsageError("a proxy names no array: it was made by default; create() gives one");
}

void check_usable(Pe& pe, CollectionId id) {
  check_named(id);
  if (pe.collections().was_removed(id))
    throw UsageError("a proxy was used whose array was destroyed: let nobody use it who may come after destroy()");
}

namespace {

[[gnu::noinline]] Destination not_made_yet(Pe& pe, CollectionId id) {
  check_usable(pe, id);
  return {pe, pe.id()};
}

[[gnu::noinline]] Destination elsewhere(const ElementTable& table, std::uint64_t element) {
  return {table.pe(), table.forwarding().where(element)};
}

}  // namespace

Destination destination_of(CollectionId id, std::uint64_t element) {
  Pe& pe = calling_pe();
  const ElementTable* table = find_table(pe.collections(), id);
  if (table == nullptr) [[unlikely]]
    return not_made_yet(pe, id);
  if (table->find(element) == nullptr) return elsewhere(*table, element);
  return {pe, pe.id()};
}

Destination home_of(CollectionId id, std::uint64_t element) {
  Pe& pe = calling_pe();
  ElementTable* table = find_table(pe.collections(), id);
  if (table == nullptr) return not_made_yet(pe, id);
  return {pe, table->is_sparse() ? table->sparse_locations().home(element) : pe.id()};
}

ElementTable& table_of(Pe& pe, CollectionId id) {
  if (ElementTable* const table = find_table(pe.collections(), id)) [[likely]]
    return *table;
  check_usable(pe, id);
  throw UsageError("an array was asked for its part on PE " + std::to_string(pe.id()) +
                   ", which has yet to make it: await create() first");
}

ElementBase* node_member(CollectionId id) { return table_of(calling_pe(), id).part<NodeMember>().find(); }

}  // namespace kaon::chares::proxy

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/chares/elements/element_table.hpp"

/// From the number of a collection, which is all that a proxy has, to its part on the calling PE.
namespace kaon::chares::proxy {

Pe& calling_pe();
/// Throws UsageError for a proxy that was made by default.
void check_named(CollectionId id);
/// Throws UsageError like check_named(), and also for a proxy whose array was destroyed.
void check_usable(Pe& pe, CollectionId id);

/// The PE of this thread, and that to send to for an element. An element whose array this PE has yet to make is this
/// PE's: the message waits here. Throws as calling_pe and check_usable do.
struct Destination {
  Pe& pe;
  PeId to;
};
Destination destination_of(CollectionId id, std::uint64_t element);
/// Same as destination_of(), for the PE that is the element's home.
Destination home_of(CollectionId id, std::uint64_t element);

/// The collection on this PE. Throws UsageError when it has yet to be made here.
ElementTable& table_of(Pe& pe, CollectionId id);
/// The member of a node group in this process. nullptr: it has yet to be made. Throws like table_of().
ElementBase* node_member(CollectionId id);

}  // namespace kaon::chares::proxy

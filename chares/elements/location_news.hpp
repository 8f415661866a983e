// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/elements/element_table.hpp"

namespace kaon::chares {

/// Tells PE `to` where an element is.
void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now);

/// An element of a dense array was made here, with an array that it is bound to: its home hears, if it is another PE.
void tell_making(ElementTable& table, std::uint64_t element);

/// Notes that an element of this PE is no more, and tells its home and the root of reductions.
void tell_deletion(ElementTable& table, std::uint64_t element);

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "chares/element_table.hpp"

namespace kaon {

/// Tells PE `to` where an element is.
void tell_location(Pe& pe, PeId to, CollectionId collection, std::uint64_t element, Whereabouts now);

}  // namespace kaon

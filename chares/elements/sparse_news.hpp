// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/elements/element_table.hpp"

namespace kaon::chares {

/// Takes a message of a sparse array whose element is not here: the home sends it to where the element is, or keeps it
/// until it is inserted; everybody else sends it home.
void forward_in_sparse(ElementTable& table, Message& message);

/// An element of a sparse array goes from here to another PE: what this PE knows of it, and its home hears.
void note_move_in_sparse(ElementTable& table, std::uint64_t element, PeId to);
/// An element was made here without a word of its home, as single chares and those of bound arrays are.
void note_made_in_sparse(ElementTable& table, std::uint64_t number);
/// An element of a sparse array that was here is no more, or could not be made.
void note_end_in_sparse(ElementTable& table, std::uint64_t element);

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/chares/sending/orders.hpp"

/// Removal of a line when one of its ends goes: the other end is notified, wherever it is by then.
namespace kaon::chares::line_ends {

/// A sender has ended: the receivers of its lines forget them when all that is under way has run.
void sender_has_ended(Pe& pe, const std::vector<LineOut>& lines);
/// An element of a sparse array has ended. Each sender that has nothing under way begins another line with what it
/// sends under this index next, and then the old one is forgotten here.
void receiver_has_ended(ElementTable& table, std::uint64_t element, const std::vector<LineIn>& lines);

}  // namespace kaon::chares::line_ends

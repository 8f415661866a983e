// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class Rank;

/// Up to so many bytes are copied so that their sender need not wait.
inline constexpr std::size_t kEagerBytes = std::size_t{16} << 10;
/// So few bytes travel in the message itself.
inline constexpr std::size_t kMostInline = 152;
/// Sends a message with so few bytes to a rank of another PE.
void send_inline(Rank& rank, const Envelope& envelope, const Outgoing& data);
/// One with any number of them. Data of more than a few bytes stay with the sender until they are fetched,
/// when that PE is in another process.
/// `is_lent`: they are in memory of the program, which has them until they are there.
void send_to_other_pe(Rank& rank, const Envelope& envelope, Payload<std::byte>&& data, bool is_lent = false);

/// Tells the sender of a message of another PE, who waits for it, that there is a receive for it.
void tell_matched(Rank& rank, const Envelope& envelope);

/// Asks for a message to another PE back, and answers that: once, whether it has gone or is matched.
void ask_back(Rank& rank, const Recall& recall);
void answer_recall(Rank& rank, const Recall& recall, bool has_gone);

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class Rank;

/// Sends a message to a rank of another PE. Data of more than a few bytes stay with the sender until they are fetched,
/// when that PE is in another process.
void send_to_other_pe(Rank& rank, const Envelope& envelope, Payload<std::byte>&& data);

/// Tells the sender of a message of another PE, who waits for it, that there is a receive for it.
void tell_matched(Rank& rank, const Envelope& envelope);

}  // namespace kaon::ampi

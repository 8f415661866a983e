// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/credits.hpp"

#include "kaon/runtime/pe/handler.hpp"

namespace kaon::runtime {
namespace credit_handlers {  // not unnamed: entries are told apart by their names

/// Nothing to do: the header of the batch that brought this message has returned the credits.
void handle_credits(Pe&) {}

}  // namespace credit_handlers

void send_credits(Pe& pe, PeId to) { Handler<&credit_handlers::handle_credits>::send(pe, to); }

}  // namespace kaon::runtime

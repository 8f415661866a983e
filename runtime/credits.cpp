// SPDX-License-Identifier: Apache-2.0
#include "runtime/credits.hpp"

#include "runtime/handler.hpp"

namespace kaon {
namespace {

/// Nothing to do: the header of the batch that brought this message has returned the credits.
void handle_credits(Pe&) {}

}  // namespace

void send_credits(Pe& pe, PeId to) { Handler<&handle_credits>::send(pe, to); }

}  // namespace kaon

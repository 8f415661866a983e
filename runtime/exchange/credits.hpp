// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {

class Pe;

/// Sends a control batch whose header returns the credits that `pe` owes to `to`.
void send_credits(Pe& pe, PeId to);

}  // namespace kaon::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/chares/waits/call.hpp"
#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// The message that ends an array: from PE 0, so that of several one is the first everywhere, it goes down the spanning
/// tree. Each PE lets its part go, and word that all are gone comes back up.
namespace destruction {

using Done = Call<Partial<Nothing>, void>;

/// To be sent to kRoot.
Message& make(Pe& pe, CollectionId id);
inline constexpr PeId kRoot = 0;

}  // namespace destruction
}  // namespace kaon::chares

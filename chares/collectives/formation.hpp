// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/chares/waits/call.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// How sections come and go: a message down the spanning tree makes each PE list the members, and word that all have
/// comes back up with the number of the section.
namespace formation {

using Done = Call<Partial<std::uint32_t>, Partial<std::uint32_t>>;

/// To be sent to this PE. Throws UsageError for a section of nothing.
Message& make(Pe& pe, CollectionId id, std::vector<std::uint64_t> members);
/// How many members it names.
std::uint64_t size(const Message& message);

/// Ends a section on all PEs, from this one.
void dissolve(Pe& pe, CollectionId id, std::uint32_t number);

}  // namespace formation
}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/communicator.hpp"

#include <utility>

namespace kaon::ampi {

namespace {

// All tags fit into what every message can carry, and are used again when no collective can be that far behind.
constexpr std::uint32_t kCollectiveTags = 1u << 24;

}  // namespace

Communicator::Communicator(Context context, Group group, int rank)
    : context_(context), group_(std::move(group)), rank_(rank) {}

Communicator::Communicator(Context context, Group local, int rank, Group remote)
    : context_(context), group_(std::move(local)), remote_(std::move(remote)), rank_(rank) {}

Communicator::~Communicator() = default;

int Communicator::next_collective_tag() {
  const std::uint32_t tag = collectives_++ % kCollectiveTags;
  return static_cast<int>(tag);
}

}  // namespace kaon::ampi

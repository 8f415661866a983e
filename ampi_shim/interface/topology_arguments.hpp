// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <variant>

#include "kaon/ampi_shim/communicators/topology.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"

namespace kaon::ampi {

/// The topology of this kind. Throws MpiFault where the communicator has another or none.
template <class Kind>
const Kind& topology_of(const Communicator& communicator, const char* kind) {
  const auto* const topology =
      communicator.topology != nullptr ? std::get_if<Kind>(communicator.topology.get()) : nullptr;
  require(topology != nullptr, MPI_ERR_TOPOLOGY, "the communicator has no {} topology", kind);
  return *topology;
}
inline const Cartesian& cartesian_of(const Communicator& communicator) {
  return topology_of<Cartesian>(communicator, "Cartesian");
}

/// Copies as many numbers as there is room for into an array of the program.
inline void copy_first(std::span<const int> from, int room, int* to) {
  std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(std::max(room, 0))), to);
}

/// A communicator with a topology, of the first ranks of another one: made by all of these.
CommunicatorRef first_ranks(const char* name, Rank& rank, Communicator& communicator, int ranks);

}  // namespace kaon::ampi

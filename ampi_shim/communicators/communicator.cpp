// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/communicators/communicator.hpp"

#include <utility>

#include "kaon/ampi_shim/datatypes/handle_memory.hpp"

namespace kaon::ampi {

namespace {

// All tags fit into what every message can carry, and are used again when no collective can be that far behind.
constexpr std::uint32_t kCollectiveTags = 1u << 24;

std::uint64_t owner_of(const Group& group, int rank) { return static_cast<std::uint64_t>(group[rank]); }

// Of all ranks of the process. It is never destroyed: ranks may end later than static objects.
HandleMemory<Communicator>& memory_of_communicators() {
  static auto& memory = *new HandleMemory<Communicator>;
  return memory;
}

}  // namespace

Communicator::Communicator(Context context, Group group, int rank, MPI_Comm predefined)
    : Handled(owner_of(group, rank)),
      context_(context),
      group_(std::move(group)),
      predefined_(predefined),
      rank_(rank) {}

Communicator::Communicator(Context context, Group local, int rank, Group remote)
    : Handled(owner_of(local, rank)),
      context_(context),
      group_(std::move(local)),
      remote_(std::move(remote)),
      rank_(rank) {}

Communicator::~Communicator() = default;

void* Communicator::operator new(std::size_t) { return memory_of_communicators().allocate(); }

void Communicator::operator delete(void* memory) noexcept { memory_of_communicators().release(memory); }

int Communicator::next_collective_tag() { return static_cast<int>(collectives_++ % kCollectiveTags); }

int Communicator::next_persistent_tag() {
  return static_cast<int>(kCollectiveTags + persistent_collectives_++ % kCollectiveTags);
}

}  // namespace kaon::ampi

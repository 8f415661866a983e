// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <optional>

#include "kaon/ampi_shim/communicators/communicator.hpp"
#include "kaon/ampi_shim/datatypes/attributes.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/rank_part.hpp"

namespace kaon::ampi {

/// The communicators of a rank: the predefined ones, and the state to make others.
class Communicators final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::communicators;
  explicit Communicators(Rank& rank);
  ~Communicators() override;

  Communicator& world() { return *world_; }
  Communicator& self() { return *self_; }
  /// Unequal to all that any rank has made.
  Context new_context() { return make_context(rank_in_run_, contexts_++); }

  Keyvals<MPI_Comm> keyvals;

 private:
  int rank_in_run_;
  std::uint64_t contexts_ = 0;
  CommunicatorRef world_;
  CommunicatorRef self_;
};

/// nullptr: MPI_COMM_NULL, a freed one, or none at all.
inline Communicator* find_communicator(Rank& rank, MPI_Comm handle) {
  constexpr std::uintptr_t kFirstAddress = 0x1000;  // numbers below are predefined handles
  if (handle == MPI_COMM_WORLD) return &rank.part<Communicators>().world();
  if (handle == MPI_COMM_SELF) return &rank.part<Communicators>().self();
  if (reinterpret_cast<std::uintptr_t>(handle) < kFirstAddress) return nullptr;
  return alive_at<Communicator>(handle, static_cast<std::uint64_t>(rank.number()));
}
[[noreturn]] void throw_no_communicator(MPI_Comm handle);
/// Throws MpiFault instead.
inline Communicator& communicator_of(Rank& rank, MPI_Comm handle) {
  if (Communicator* const communicator = find_communicator(rank, handle)) [[likely]]
    return *communicator;
  throw_no_communicator(handle);
}
/// Same as communicator_of(), but throws MpiFault for an intercommunicator, too.
Communicator& intracommunicator_of(Rank& rank, MPI_Comm handle);

/// The program's handle to a communicator that was made for it: a reference is the program's until it frees that.
MPI_Comm give(CommunicatorRef communicator);

/// Calls the delete functions of its attributes and takes the program's reference away. The code of a function that
/// failed: then it stays.
int free_communicator(Communicator& communicator);

/// The value of a predefined attribute for MPI_Comm_get_attr: an address that stays valid. All communicators have the
/// attributes of MPI_COMM_WORLD.
std::optional<void*> predefined_attribute(const Rank& rank, int keyval);

}  // namespace kaon::ampi

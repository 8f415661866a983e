// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>

#include "kaon/ampi_shim/communicators/communicators.hpp"
#include "kaon/ampi_shim/windows/windows.hpp"

namespace kaon::ampi {

/// A window that all members of a communicator ask for.
struct WindowOffer {
  const char* function = "";  // a literal
  int flavor = MPI_WIN_FLAVOR_CREATE;
  void* base = nullptr;  // of MPI_WIN_FLAVOR_CREATE
  MPI_Aint size = 0;
  MPI_Aint unit = 1;
  bool is_packed = false;      // MPI_WIN_FLAVOR_SHARED: the parts follow each other without gaps
  std::size_t alignment = 64;  // of allocated parts, a power of two
};

/// Makes it, on the program's strand, with all other members. Throws MpiFault, for all members alike where they have to
/// agree.
Window& make_window(Rank& rank, Communicator& communicator, const WindowOffer& offer);

/// Ends it, when all members do that. Throws MpiFault while an epoch is open. The code of a delete function of an
/// attribute that has failed; then it stays.
int free_window(Window& window);

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <vector>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/windows/windows.hpp"

namespace kaon::ampi {

/// A function of a window: `body(window)`. Errors go to the window's handler.
template <class Body>
int window_call(const char* function, MPI_Win win, Body&& body) {
  return mpi_call(function, win, [&] { return body(window_of(running_rank(), win)); });
}

/// A member of the window; throws MpiFault.
void check_member(const Window& window, int rank);
/// The members that the ranks of a group are. Throws MpiFault when one is none.
std::vector<int> members_argument(const Window& window, MPI_Group group);
/// Throws MpiFault with MPI_ERR_ASSERT for bits that are not among those allowed.
void check_assertion(int assertion, int allowed);

}  // namespace kaon::ampi

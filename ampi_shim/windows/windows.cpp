// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/windows.hpp"

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

Windows::~Windows() {
  for (const auto& [context, window] : windows_) delete window;  // those that the program has not freed
}

Window& window_of(const Rank& rank, MPI_Win handle) {
  if (Window* const window = find_window(rank, handle)) return *window;
  if (handle == MPI_WIN_NULL) throw MpiFault(MPI_ERR_WIN, "the window is MPI_WIN_NULL");
  throw MpiFault(MPI_ERR_WIN, "that is not a window, or it has been freed");
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace kaon::ampi {

/// The fields of MPI_Status besides its three public members are in its reserved words. The first two have the number
/// of received bytes; the third tells whether the operation was cancelled.
inline void set_status_bytes(MPI_Status& status, std::uint64_t bytes) {
  std::memcpy(&status.MPI_internal[0], &bytes, sizeof bytes);
}
inline std::uint64_t status_bytes(const MPI_Status& status) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &status.MPI_internal[0], sizeof bytes);
  return bytes;
}
inline void set_status_cancelled(MPI_Status& status, bool is_cancelled) { status.MPI_internal[2] = is_cancelled; }
inline bool is_status_cancelled(const MPI_Status& status) { return status.MPI_internal[2] != 0; }

/// The status of an operation without data: an inactive or null request, or a send.
inline MPI_Status empty_status() {
  MPI_Status status{};
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}
/// The status of a receive from MPI_PROC_NULL.
inline MPI_Status null_process_status() {
  MPI_Status status = empty_status();
  status.MPI_SOURCE = MPI_PROC_NULL;
  return status;
}

}  // namespace kaon::ampi

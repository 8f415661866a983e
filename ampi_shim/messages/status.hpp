// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace kaon::ampi {

/// What MPI_Status says beside its three public members lies in its reserved words: the bytes that were received in the
/// first two, and in the third whether the operation was cancelled.
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

/// Of what gives no data: an inactive or null request, a send.
inline MPI_Status empty_status() {
  MPI_Status status{};
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}
/// Of a receive from MPI_PROC_NULL.
inline MPI_Status null_process_status() {
  MPI_Status status = empty_status();
  status.MPI_SOURCE = MPI_PROC_NULL;
  return status;
}

}  // namespace kaon::ampi

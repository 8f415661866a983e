// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <optional>

#include "kaon/ampi_shim/communicators/communicator.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/streams/program_stream.hpp"
#include "kaon/ampi_shim/streams/reduction.kernels.hpp"

namespace kaon::ampi {

/// Elements in the memory of a device to be reduced: `count` at `from` into as many at `to`, which may be the same.
struct ReducedElements {
  const std::byte* from;
  std::byte* to;
  MPI_Count count;
  const Datatype* type;
  DeviceOperation operation;
};

/// The operation of a kernel; nothing: no kernel does it.
std::optional<DeviceOperation> device_operation(MPI_Op operation);
/// True: kernels reduce elements of the type.
bool is_reduced_by_kernels(const Datatype& type);

/// A reduction whose result all ranks of the communicator get, in the order of the stream. Each rank reduces a chunk of
/// the elements by a kernel on the stream: it receives that of all others, and sends the result to them (reduce-scatter
/// and allgather, as R. Thakur, R. Rabenseifner and W. Gropp describe for long vectors, with direct exchanges).
void enqueue_allreduce(ProgramStream& stream, Communicator& communicator, const ReducedElements& elements);

}  // namespace kaon::ampi

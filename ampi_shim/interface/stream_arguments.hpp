// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <memory>

#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/streams/program_stream.hpp"

namespace kaon::ampi {

/// The stream of a handle. Throws MpiFault for MPIX_STREAM_NULL and what is none.
std::shared_ptr<ProgramStream> stream_argument(MPIX_Stream handle);

/// The stream of a communicator, on which work can be enqueued. Throws MpiFault: it has none, or what was enqueued
/// before has failed.
ProgramStream& stream_of(const Caller& caller);

/// The device of the rank's PE. Throws MpiFault: the run has none.
gpu::Device& device_argument(Rank& rank);

/// Throws MpiFault for what has failed of the work that was enqueued on the stream.
void raise_failure(ProgramStream& stream);

/// On a strand of the rank: until all its streams have done what they were given. They, and handles of kernels for
/// partitioned requests, are not used any more.
/// Throws MpiFault for what has failed.
void finish_streams();

}  // namespace kaon::ampi

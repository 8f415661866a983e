// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/stream_arguments.hpp"

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/streams/device_partitions.hpp"

namespace kaon::ampi {

std::shared_ptr<ProgramStream> stream_argument(MPIX_Stream handle) {
  require(handle != MPIX_STREAM_NULL, MPI_ERR_ARG, "the stream is MPIX_STREAM_NULL");
  std::shared_ptr<ProgramStream> stream = program_objects().streams.find(handle);
  require(stream != nullptr, MPI_ERR_ARG, "that is not a stream, or it has been freed");
  return stream;
}

ProgramStream& stream_of(const Caller& caller) {
  ProgramStream* const stream = caller.communicator.stream.get();
  require(stream != nullptr, MPI_ERR_COMM,
          "the communicator has no stream; make one that has by MPIX_Stream_comm_create");
  require(stream->has_device(), MPI_ERR_COMM,
          "the stream of the communicator is of no device, as its info has no \"type\"; nothing can be enqueued");
  raise_failure(*stream);
  return *stream;
}

void raise_failure(ProgramStream& stream) {
  const std::optional<StreamFailure> failure = stream.take_failure();
  if (failure)
    throw_fault(failure->error, "work that was enqueued before has failed: {}",
                text_of_failure(failure->error, failure->status));
}

gpu::Device& device_argument(Rank& rank) {
  require(rank.scheduler().has_accelerator(), MPI_ERR_OTHER,
          "this run has no devices: ampirun --device cuda starts them, --device host emulates one");
  return ProgramDevice::of(rank).device();
}

void finish_streams() {
  const auto& streams = program_objects().streams;
  streams.each([](ProgramStream& stream) { stream.synchronize(); });
  for (const auto& [words, partitions] : program_objects().device_partitions) partitions->end();
  streams.each([](ProgramStream& stream) { stream.close(); });
  streams.each([](ProgramStream& stream) { raise_failure(stream); });
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
// Streams of the program, and communicators that have one.
#include <mpi.h>

#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/collective_call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/stream_arguments.hpp"

using namespace kaon::ampi;
namespace gpu = kaon::gpu;

namespace {

constexpr std::string_view kEmulatedStream = "kaon_emulated_stream";

gpu::Device& emulated_device_of(Rank& rank) {
  gpu::Device& device = device_argument(rank);
  require(device.driver().backend() == gpu::Backend::host, MPI_ERR_OTHER,
          "the devices of this run are no emulation, which ampirun --device host starts");
  return device;
}

std::string_view type_of_streams(gpu::Backend backend) {
  switch (backend) {
    case gpu::Backend::cuda:
      return "cudaStream_t";
    case gpu::Backend::hip:
      return "hipStream_t";
    case gpu::Backend::host:
      break;
  }
  return kEmulatedStream;
}

/// The bytes of a pointer, as MPIX_Info_set_hex writes them.
void* pointer_of(const std::string& digits) {
  void* pointer = nullptr;
  std::array<std::byte, sizeof pointer> bytes{};
  bool is_hex = digits.size() == 2 * bytes.size();
  for (std::size_t i = 0; is_hex && i < bytes.size(); ++i) {
    unsigned value = 0;
    const char* const end = digits.data() + 2 * i + 2;
    const auto [at, error] = std::from_chars(end - 2, end, value, 16);
    is_hex = error == std::errc() && at == end;
    bytes[i] = static_cast<std::byte>(value);
  }
  require(is_hex, MPI_ERR_INFO_VALUE,
          "the value \"{}\" is no stream; set it by MPIX_Info_set_hex(info, \"value\", "
          "&stream, sizeof stream)",
          digits);
  std::memcpy(&pointer, bytes.data(), bytes.size());
  return pointer;
}

std::shared_ptr<ProgramStream> make_stream(Rank& rank, const Info* info) {
  const std::string* const type = info != nullptr ? info->find("type") : nullptr;
  if (type == nullptr) return std::make_shared<ProgramStream>(rank);
  const std::string_view wanted = type_of_streams(device_argument(rank).driver().backend());
  require(*type == wanted, MPI_ERR_INFO_VALUE,
          "the type is \"{}\", and streams of this run's devices are of type \"{}\"", *type, wanted);
  const std::string* const value = info->find("value");
  require(value != nullptr, MPI_ERR_INFO_NOKEY, "the info has the key \"type\" and no \"value\", which is the stream");
  void* const native = pointer_of(*value);
  require(native != nullptr || wanted != kEmulatedStream, MPI_ERR_INFO_VALUE, "the stream is a null pointer");
  return std::make_shared<ProgramStream>(rank, native);
}

}  // namespace

int MPIX_Stream_create(MPI_Info info, MPIX_Stream* stream) {
  return mpi_call("MPIX_Stream_create", [&] {
    Rank& rank = running_rank();
    require_place(stream, "stream");
    *stream = MPIX_STREAM_NULL;
    *stream = program_objects().streams.give(make_stream(rank, info_or_null(info)));
  });
}

int MPIX_Stream_free(MPIX_Stream* stream) {
  return mpi_call("MPIX_Stream_free", [&] {
    (void)running_rank();
    require_place(stream, "stream");
    constexpr long kOfTableAndHere = 2;
    const std::shared_ptr<ProgramStream> freed = stream_argument(*stream);
    require(freed.use_count() <= kOfTableAndHere, MPI_ERR_OTHER,
            "communicators have the stream; free them before, by MPI_Comm_free");
    require(freed->is_idle(), MPI_ERR_PENDING,
            "enqueued work has not ended; wait for it before, by KAON_Stream_synchronize or MPI_Wait");
    freed->synchronize();
    freed->close();
    program_objects().streams.free(*stream);
    *stream = MPIX_STREAM_NULL;
    raise_failure(*freed);
  });
}

int MPIX_Stream_comm_create(MPI_Comm comm, MPIX_Stream stream, MPI_Comm* newcomm) {
  return new_communicator("MPIX_Stream_comm_create", comm, newcomm, [&](Rank& rank, Communicator& communicator) {
    CommunicatorRef made = same_groups(communicator);
    if (stream != MPIX_STREAM_NULL) made->stream = stream_argument(stream);
    run_now("MPIX_Stream_comm_create", rank, communicator,
            [&](Schedule& schedule) { plan_context(schedule, rank, communicator, &made->context_place()); });
    return made;
  });
}

int MPIX_Stream_comm_create_multiplex(MPI_Comm comm, int, MPIX_Stream[], MPI_Comm* newcomm) {
  return new_communicator(
      "MPIX_Stream_comm_create_multiplex", comm, newcomm, [](Rank&, Communicator&) -> CommunicatorRef {
        throw MpiFault(MPI_ERR_UNSUPPORTED_OPERATION,
                       "Kaon makes no communicator of several streams; make one for each by MPIX_Stream_comm_create");
      });
}

int MPIX_Comm_get_stream(MPI_Comm comm, int idx, MPIX_Stream* stream) {
  return communicator_call("MPIX_Comm_get_stream", comm, [&](Rank&, Communicator& communicator) {
    require_place(stream, "stream");
    require(idx == 0, MPI_ERR_ARG, "the index is {}, and a communicator has one stream, of index 0", idx);
    *stream =
        communicator.stream != nullptr ? program_objects().streams.handle_of(*communicator.stream) : MPIX_STREAM_NULL;
  });
}

int KAON_Stream_synchronize(MPIX_Stream stream) {
  return mpi_call("KAON_Stream_synchronize", [&] {
    (void)running_rank();
    const std::shared_ptr<ProgramStream> awaited = stream_argument(stream);
    awaited->synchronize();
    raise_failure(*awaited);
  });
}

// --- streams of the emulation

int KAON_Emulated_stream_create(void** stream) {
  return mpi_call("KAON_Emulated_stream_create", [&] {
    require_place(stream, "stream");
    gpu::Device& device = emulated_device_of(running_rank());
    *stream = device.driver().make_stream(device.number());
  });
}

int KAON_Emulated_stream_destroy(void** stream) {
  return mpi_call("KAON_Emulated_stream_destroy", [&] {
    require_place(stream, "stream");
    require(*stream != nullptr, MPI_ERR_ARG, "the stream is a null pointer");
    emulated_device_of(running_rank()).driver().destroy(*stream);
    *stream = nullptr;
  });
}

int KAON_Emulated_stream_enqueue(void* stream, void (*function)(void* argument), void* argument) {
  return mpi_call("KAON_Emulated_stream_enqueue", [&] {
    (void)emulated_device_of(running_rank());
    require(stream != nullptr, MPI_ERR_ARG, "the stream is a null pointer");
    require(function != nullptr, MPI_ERR_ARG, "the function is a null pointer");
    gpu::enqueue_on_host(stream, [function, argument] { function(argument); });
  });
}

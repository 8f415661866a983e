// SPDX-License-Identifier: Apache-2.0
// Handles by which kernels use partitioned requests.
#include "kaon/ampi_shim/streams/device_partitions.hpp"

#include <mpi.h>

#include <memory>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/stream_arguments.hpp"

using namespace kaon::ampi;

namespace {

std::shared_ptr<DevicePartitions> make_partitions(Rank& rank, Request* request) {
  auto* const send = dynamic_cast<PartitionedSend*>(request);
  auto* const receive = dynamic_cast<PartitionedReceive*>(request);
  require(send != nullptr || receive != nullptr, MPI_ERR_REQUEST,
          "the request is no partitioned one (MPI_Psend_init, MPI_Precv_init)");
  require(request->state() == Request::State::inactive, MPI_ERR_REQUEST,
          "the request is active; make the handle of kernels before MPI_Start");
  require(!static_cast<PartitionedRequest*>(request)->has_round_word(), MPI_ERR_REQUEST,
          "the request has a handle for kernels already");
  if (send != nullptr) return std::make_shared<DevicePartitions>(rank, *send);
  return std::make_shared<DevicePartitions>(rank, *receive);
}

}  // namespace

int KAON_Prequest_create(MPI_Request request, KAON_Prequest* prequest) {
  return mpi_call("KAON_Prequest_create", communicator_of_request(request), [&] {
    Rank& rank = running_rank();
    require_place(prequest, "prequest");
    kaon::gpu::Device& device = device_argument(rank);
    auto made = make_partitions(rank, request_of(request));
    device.watches().add(made);
    *prequest = made->handle();
    program_objects().device_partitions.emplace(prequest->words, std::move(made));
  });
}

int KAON_Prequest_free(KAON_Prequest* prequest) {
  return mpi_call("KAON_Prequest_free", [&] {
    (void)running_rank();
    require_place(prequest, "prequest");
    auto& known = program_objects().device_partitions;
    const auto found = known.find(prequest->words);
    require(found != known.end(), MPI_ERR_ARG, "that is no handle for kernels, or it has been freed");
    require(!found->second->is_busy(), MPI_ERR_REQUEST,
            "the partitioned request is active; complete it with MPI_Wait or MPI_Test before");
    found->second->end();
    known.erase(found);
    *prequest = {nullptr, 0};
  });
}

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/collective_call.hpp"

#include "kaon/ampi_shim/collectives/direct_exchange.hpp"
#include "kaon/ampi_shim/interface/message_arguments.hpp"
#include "kaon/ampi_shim/interface/operation_arguments.hpp"

namespace kaon::ampi {

void require_exchanged(const DirectExchange& direct) {
  if (direct.error() != MPI_SUCCESS) throw MpiFault(direct.error(), "a message of it did not come as it should");
}

void begin(std::unique_ptr<Collective> collective, const Call& call) {
  if (call.form == Form::nonblocking) collective->start();
  *call.request = reinterpret_cast<MPI_Request>(collective.release()->give_handle());
}

namespace {

void check_buffer(const void* buffer, MPI_Count count, const Datatype& type) {
  require(buffer != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is not for this buffer");
  require_memory(buffer, count, type);
}

}  // namespace

const Datatype& type_argument(Collective& collective, MPI_Datatype type) {
  const Datatype& object = committed_type_argument(type);
  if (!object.is_predefined()) collective.keep(object);
  return object;
}

Piece piece_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type) {
  check_count(count);
  const Datatype& object = type_argument(collective, type);
  check_buffer(buffer, count, object);
  return {const_cast<void*>(buffer), count, &object};
}

Blocks blocks_argument(Collective& collective, const void* buffer, MPI_Count count, MPI_Datatype type) {
  const Piece piece = piece_argument(collective, buffer, count, type);
  return {buffer, count, *piece.type};
}

namespace {

void check_sizes(const BlockSizes& sizes, int blocks) {
  require(blocks == 0 || (sizes.counts && sizes.displacements), MPI_ERR_ARG,
          "the list of counts or of displacements is a null pointer");
  for (int block = 0; block < blocks; ++block) {
    require(sizes.counts[block] >= 0, MPI_ERR_COUNT, "the count of rank {} is {}", block, sizes.counts[block]);
  }
}

/// With a null pointer for a buffer the displacements are the addresses.
const Blocks& checked(const Blocks& blocks, const void* buffer, int count) {
  for (int block = 0; buffer == nullptr && block < count; ++block) {
    const Piece piece = blocks[block];
    require_memory(piece.at, piece.count, *piece.type);
  }
  return blocks;
}

}  // namespace

Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, MPI_Datatype type,
                       int blocks) {
  require(buffer != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is not for this buffer");
  check_sizes(sizes, blocks);
  return checked({buffer, sizes.counts, sizes.displacements, type_argument(collective, type)}, buffer, blocks);
}

Blocks blocks_argument(Collective& collective, const void* buffer, const BlockSizes& sizes, const MPI_Datatype* handles,
                       int blocks, std::vector<const Datatype*>& types) {
  require(buffer != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is not for this buffer");
  check_sizes(sizes, blocks);
  require(blocks == 0 || handles != nullptr, MPI_ERR_ARG, "the list of types is a null pointer");
  for (int block = 0; block < blocks; ++block) types.push_back(&type_argument(collective, handles[block]));
  return checked({buffer, sizes.counts, sizes.displacements, types.data()}, buffer, blocks);
}

void check_root(const Communicator& communicator, int root) {
  const bool is_special = communicator.is_inter() && (root == MPI_ROOT || root == MPI_PROC_NULL);
  require(is_special || (root >= 0 && root < communicator.peer_count()), MPI_ERR_ROOT,
          "the root is {}, and the communicator has {} ranks", root, communicator.peer_count());
}

bool is_root(const Communicator& communicator, int root) {
  return communicator.is_inter() ? root == MPI_ROOT : root == communicator.rank();
}

Reduction reduction_argument(const Communicator& communicator, const void* from, void* to, MPI_Count count,
                             MPI_Datatype type, MPI_Op operation) {
  check_count(count);
  const Datatype& object = committed_type_argument(type);
  const Operation& how = operation_argument(operation, object);
  if (!is_in_place(communicator, from)) check_buffer(from, count, object);
  return {from, {to, count, &object}, &how};
}

Reduction reduction_argument(Collective& collective, const void* from, void* to, MPI_Count count, MPI_Datatype type,
                             MPI_Op operation) {
  return kept(collective, reduction_argument(collective.communicator(), from, to, count, type, operation));
}

const Reduction& kept(Collective& collective, const Reduction& reduction) {
  if (!reduction.result.type->is_predefined()) collective.keep(*reduction.result.type);
  if (!reduction.operation->is_predefined()) collective.keep(*reduction.operation);
  return reduction;
}

void check_result(const void* to, MPI_Count count, const Reduction& reduction) {
  require_memory(to, count, *reduction.result.type);
}

void check_not_aliased(const void* from, const void* to, MPI_Count count) {
  require(to != MPI_IN_PLACE, MPI_ERR_BUFFER, "MPI_IN_PLACE is not for the receive buffer");
  require(from != to || from == nullptr || count == 0, MPI_ERR_BUFFER,
          "the send buffer is the receive buffer: MPI_IN_PLACE is for that");
}

void check_not_aliased(const Piece& from, const Piece& to) {
  if (from.at == MPI_IN_PLACE || to.at == MPI_IN_PLACE || packed_bytes(from) == 0 || packed_bytes(to) == 0) return;
  const auto begin = [](const Piece& piece) {
    return reinterpret_cast<std::intptr_t>(piece.at) + piece.type->true_lower_bound();
  };
  require(begin(from) != begin(to), MPI_ERR_BUFFER,
          "this rank's own data are sent from where they are received: MPI_IN_PLACE is for that");
}

bool is_in_place(const Communicator& communicator, const void* at) {
  if (at != MPI_IN_PLACE) return false;
  require(!communicator.is_inter(), MPI_ERR_BUFFER, "MPI_IN_PLACE is not for intercommunicators");
  return true;
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/streams/enqueued_reduction.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/datatypes/basic_type.hpp"
#include "kaon/ampi_shim/streams/enqueued_transfer.hpp"

namespace kaon::ampi {
namespace {

/// The types that kernels are compiled for.
template <class T>
constexpr bool is_for_kernels() {
  return std::is_same_v<T, float> || std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) <= 8);
}

/// An enqueued reduction among the ranks of a communicator.
class ChunkedReduction {
 public:
  ChunkedReduction(ProgramStream& stream, Communicator& communicator, const ReducedElements& elements)
      : stream_(stream),
        communicator_(communicator),
        elements_(elements),
        tag_(communicator.next_collective_tag()),
        own_(chunk(communicator.rank())) {}

  void enqueue() {
    pieces_ = stream_.scratch(static_cast<std::size_t>(communicator_.size()) * bytes(own_.count));
    for (int peer = 0; peer < communicator_.size(); ++peer)
      if (peer != communicator_.rank())
        receive(peer, pieces_ + static_cast<std::size_t>(peer) * bytes(own_.count), own_.count);
    for (int peer = 0; peer < communicator_.size(); ++peer)
      if (peer != communicator_.rank()) send(peer, elements_.from + bytes(chunk(peer).first), chunk(peer).count);
    hold_stream();
    reduce();
    for (int peer = 0; peer < communicator_.size(); ++peer)
      if (peer != communicator_.rank()) receive(peer, elements_.to + bytes(chunk(peer).first), chunk(peer).count);
    for (int peer = 0; peer < communicator_.size(); ++peer)
      if (peer != communicator_.rank()) send(peer, elements_.to + bytes(own_.first), own_.count);
    hold_stream();
  }

 private:
  struct Chunk {
    MPI_Count first;
    MPI_Count count;
  };
  Chunk chunk(int rank) const {
    const MPI_Count each = elements_.count / communicator_.size(), rest = elements_.count % communicator_.size();
    return {rank * each + std::min<MPI_Count>(rank, rest), each + (rank < rest ? 1 : 0)};
  }
  std::size_t bytes(MPI_Count count) const { return static_cast<std::size_t>(count * elements_.type->size()); }
  std::uint64_t context() const { return communicator_.context(Traffic::collective); }

  void send(int peer, const std::byte* data, MPI_Count count) {
    const SendTo to{context(), communicator_.rank_in_run(peer), communicator_.rank(), tag_};
    transfers_.push_back(&EnqueuedTransfer::send(stream_, to, {data, count, elements_.type}));
  }
  void receive(int peer, std::byte* memory, MPI_Count count) {
    const MatchKey from{context(), peer, tag_};
    transfers_.push_back(&EnqueuedTransfer::receive(stream_, from, {memory, count, elements_.type}));
  }
  void hold_stream() {
    StreamHold& hold = stream_.hold(transfers_.size());
    for (EnqueuedTransfer* const transfer : std::exchange(transfers_, {})) transfer->hand_to(hold, nullptr);
  }
  void reduce() {
    with_number_type(elements_.type->definition().basic->number, [&](auto type) {
      using T = typename decltype(type)::Type;
      if constexpr (is_for_kernels<T>()) {
        const auto count = static_cast<std::size_t>(own_.count);
        const ReduceChunk<T> kernel{reinterpret_cast<T*>(elements_.to + bytes(own_.first)),
                                    reinterpret_cast<const T*>(elements_.from + bytes(own_.first)),
                                    reinterpret_cast<const T*>(pieces_),
                                    count,
                                    communicator_.rank(),
                                    communicator_.size(),
                                    elements_.operation};
        stream_.stream().for_each(count, kernel);
      }
    });
  }

  ProgramStream& stream_;
  Communicator& communicator_;
  ReducedElements elements_;
  int tag_;
  Chunk own_;
  std::byte* pieces_ = nullptr;
  std::vector<EnqueuedTransfer*> transfers_;
};

}  // namespace

std::optional<DeviceOperation> device_operation(MPI_Op operation) {
  const std::pair<MPI_Op, DeviceOperation> known[] = {
      {MPI_SUM, DeviceOperation::sum},        {MPI_PROD, DeviceOperation::product},
      {MPI_MIN, DeviceOperation::minimum},    {MPI_MAX, DeviceOperation::maximum},
      {MPI_BAND, DeviceOperation::bit_and},   {MPI_BOR, DeviceOperation::bit_or},
      {MPI_BXOR, DeviceOperation::bit_xor},   {MPI_LAND, DeviceOperation::logical_and},
      {MPI_LOR, DeviceOperation::logical_or}, {MPI_LXOR, DeviceOperation::logical_xor},
  };
  for (const auto& [handle, found] : known)
    if (handle == operation) return found;
  return std::nullopt;
}

bool is_reduced_by_kernels(const Datatype& type) {
  const BasicType* const basic = type.definition().basic;
  if (basic == nullptr || basic->parts() != 1) return false;
  return with_number_type(basic->number, [](auto number) { return is_for_kernels<typename decltype(number)::Type>(); });
}

void enqueue_allreduce(ProgramStream& stream, Communicator& communicator, const ReducedElements& elements) {
  if (elements.count == 0) return;
  if (communicator.size() > 1) return ChunkedReduction(stream, communicator, elements).enqueue();
  const auto bytes = static_cast<std::size_t>(elements.count * elements.type->size());
  if (elements.from != elements.to)
    stream.stream().copy(gpu::Span<std::byte>(elements.to, bytes), gpu::Span<const std::byte>(elements.from, bytes));
}

}  // namespace kaon::ampi

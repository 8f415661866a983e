// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/host_copies.hpp"

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/interface/meeting_call.hpp"

namespace kaon::ampi {

HostCopy::HostCopy(Rank& rank, const void* data, MPI_Count count, const Datatype& type)
    : rank_(rank), program_(const_cast<void*>(data)), data_(program_), count_(count), type_(type) {
  if (data == MPI_IN_PLACE || count == 0) return;
  if (!is_in_device_memory(rank, data, count, &type) && !is_thread_local(rank, {program_, count, &type})) return;
  const Span span = span_of(count, type);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(span.bytes));
  // A number, since what comes before the first byte may be outside of all memory.
  data_ = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory_.get()) -
                                  static_cast<std::uintptr_t>(span.first));
  copy_between(program_, data_);
}

void HostCopy::copy_back() {
  if (memory_ != nullptr) copy_between(data_, program_);
}

void HostCopy::copy_between(void* from, void* to) {
  if (!copied_by_device(rank_, {to, count_, &type_}, {from, count_, &type_}))
    copy({from, count_, &type_}, {to, count_, &type_});
}

HostReduction::HostReduction(Collective& collective, const Reduction& reduction, MPI_Count result_count)
    : schedule_(collective.schedule()), reduction_(reduction) {
  Rank& rank = collective.rank();
  const Datatype& type = *reduction.result.type;
  const MPI_Count count = reduction.result.count;
  void* const value = reduction.from == MPI_IN_PLACE ? reduction.result.at : const_cast<void*>(reduction.from);
  if (is_in_device_memory(rank, value, count, &type)) {
    const Piece copy = schedule_.scratch_like(count, type);
    schedule_.copy({value, count, &type}, copy);
    reduction_.from = copy.at;
  }
  if (!is_in_device_memory(rank, reduction.result.at, result_count, &type)) return;
  program_ = {reduction.result.at, result_count, &type};
  host_ = schedule_.scratch_like(result_count, type);
  reduction_.result.at = host_.at;
}

void HostReduction::copy_back() {
  if (program_.type == nullptr) return;
  schedule_.fence();
  schedule_.copy(host_, program_);
}

}  // namespace kaon::ampi

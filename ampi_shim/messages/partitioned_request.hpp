// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/messages/request.hpp"

namespace kaon::ampi {

/// The message by which a partitioned send finds its receive: offers and receives of one communicator, rank and tag
/// match in the order of their inits. Each partition then travels as a message of its own, whose tag is its number.
struct PartitionOffer {
  std::uint64_t context = 0;  // of the messages of partitions, which no others have
  std::int64_t partitions = 0;
  std::uint64_t bytes = 0;  // of each
};

/// A persistent request of a message in partitions (MPI-4.0, section 4.2): one side of it.
class PartitionedRequest : public Request {
 public:
  int partitions() const { return partitions_; }
  /// Throws MpiFault: partitioned requests cannot be cancelled.
  void cancel() override;
  /// Throws MpiFault while it is active, or kernels may use its partitions.
  void check_free() const override;
  /// Throws MpiFault: there is no such partition.
  void check_partition(int partition) const;

  /// Starts so far; kernels find it at `word`, in memory of the host that stays until it is set to nullptr.
  std::uint32_t round() const { return round_; }
  void set_round_word(std::uint32_t* word);
  bool has_round_word() const { return round_word_ != nullptr; }

 protected:
  explicit PartitionedRequest(int partitions) : Request(true), partitions_(partitions) {}
  /// It is started.
  void begin_round();

 private:
  void store_round() const {
    // release: a kernel that sees the round sees what the program has written before
    if (round_word_ != nullptr) std::atomic_ref<std::uint32_t>(*round_word_).store(round_, std::memory_order_release);
  }

  int partitions_;
  std::uint32_t round_ = 0;
  std::uint32_t* round_word_ = nullptr;
};

/// Memory behind so many elements of a type; `data` may be MPI_BOTTOM, to which nothing can be added.
inline void* elements_behind(const void* data, MPI_Count elements, const Datatype* type) {
  const std::int64_t bytes = elements * (type != nullptr ? type->extent() : 1);
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes));
}

}  // namespace kaon::ampi

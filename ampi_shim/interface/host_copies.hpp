// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>

#include "kaon/ampi_shim/collectives/collective.hpp"
#include "kaon/ampi_shim/collectives/plans.hpp"

namespace kaon::ampi {

/// Elements for other ranks of the PE to compute with: those of the program, or a copy when they are on a device or in
/// thread-local variables. On a strand of the rank.
class HostCopy {
 public:
  HostCopy(Rank& rank, const void* data, MPI_Count count, const Datatype& type);
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// In the place of the program's pointer.
  void* data() const { return data_; }
  /// Copies the elements back to the program, after ranks have written them.
  void copy_back();

 private:
  void copy_between(void* from, void* to);

  Rank& rank_;
  void* program_;
  void* data_;
  MPI_Count count_;
  const Datatype& type_;
  std::unique_ptr<std::byte[]> memory_;
};

/// A reduction for the processor to compute: where values or the result are on a device, the schedule copies them, and
/// ranks exchange what is in memory of the host.
class HostReduction {
 public:
  /// `result_count`: how many elements of the result this rank gets.
  HostReduction(Collective& collective, const Reduction& reduction, MPI_Count result_count);

  const Reduction& reduction() const { return reduction_; }
  /// Behind the plan of the reduction.
  void copy_back();

 private:
  Schedule& schedule_;
  Reduction reduction_;
  Piece host_;     // the result, of one on a device
  Piece program_;  // where it goes
};

}  // namespace kaon::ampi

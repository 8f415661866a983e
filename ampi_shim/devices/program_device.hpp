// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <array>
#include <cstddef>
#include <map>
#include <set>

#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/gpu/program_memory.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::ampi {

class Datatype;

/// A PE's device as the programs of its ranks use it, which know nothing of Kaon's streams: what memory is the
/// device's, and streams for copies of their data. All ranks of a PE share one.
class ProgramDevice {
 public:
  ProgramDevice() = default;
  ProgramDevice(const ProgramDevice&) = delete;
  ProgramDevice& operator=(const ProgramDevice&) = delete;

  /// That of the PE of a rank, in a run that has devices.
  static ProgramDevice& of(Rank& rank);

  gpu::Device& device() const { return idle_.device(); }
  gpu::ProgramMemory& memory() { return memory_; }
  /// Memory that MPI_Alloc_mem has taken of the driver for the program.
  std::set<void*>& allocated() { return allocated_; }
  /// Device memory for so many bytes, a power of two, that goes to the next who needs some; nullptr: there is none
  /// left. None goes back to the driver, which would wait for streams that wait for this PE.
  std::byte* take_scratch(std::size_t bytes);
  void give_scratch(std::byte* memory, std::size_t bytes) { scratch_.emplace(bytes, memory); }
  /// One that is never given anything. As programs give memory to MPI whose data are there already, it stands for the
  /// order of a stream where nothing is to be waited for.
  gpu::Stream& idle_stream() { return idle_; }
  /// One for the next copy, so that a short one need not stand behind each long one.
  gpu::Stream& copy_stream() { return copies_[next_++ % copies_.size()]; }

 private:
  static constexpr std::size_t kStreams = 4;

  gpu::ProgramMemory memory_;
  gpu::Stream idle_;
  std::array<gpu::Stream, kStreams> copies_;
  std::size_t next_ = 0;
  std::set<void*> allocated_;
  std::multimap<std::size_t, std::byte*> scratch_;  // by bytes; unused
};

bool ask_whether_in_device_memory(Rank& rank, const void* data, MPI_Count count, const Datatype* type);
/// True if elements of a program are in the memory of a device, by the address of the first of them. In a run without
/// devices that costs two loads.
inline bool is_in_device_memory(Rank& rank, const void* data, MPI_Count count, const Datatype* type) {
  return rank.scheduler().has_accelerator() && ask_whether_in_device_memory(rank, data, count, type);
}

}  // namespace kaon::ampi

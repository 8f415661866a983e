// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstring>

namespace kaon::ampi {

/// From the ranks of one place: how many bytes each block has, in the order of senders and of their receivers, and the
/// small ones of these blocks.
struct Parcel {
  std::size_t place = 0;
  std::byte* memory = nullptr;
  std::size_t blocks = 0;
  MPI_Count bytes = 0;  // of the blocks

  std::size_t size() const { return blocks * sizeof(MPI_Count) + static_cast<std::size_t>(bytes); }
  MPI_Count size_of(std::size_t block) const {
    MPI_Count size;
    std::memcpy(&size, memory + block * sizeof size, sizeof size);
    return size;
  }
  void set_size(std::size_t block, MPI_Count size) const {
    std::memcpy(memory + block * sizeof size, &size, sizeof size);
  }
  std::byte* data() const { return memory + blocks * sizeof(MPI_Count); }
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>

namespace kaon::ampi {

class Datatype;

/// Elements in the memory of the program that are sent. It stays as it is until the send has completed.
struct Outgoing {
  const void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;  // nullptr: bytes

  std::size_t bytes() const;
  /// Where they lie one behind the other; nullptr: they do not, and must be packed.
  const std::byte* contiguous() const;
  /// All of it, into bytes() bytes.
  void pack(std::byte* to) const;
};

/// Memory of the program for elements that are received.
struct Incoming {
  void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;  // nullptr: bytes

  std::size_t bytes() const;
  /// As Outgoing::contiguous.
  std::byte* contiguous() const;
  /// The first `bytes` of it.
  void unpack(const std::byte* from, std::size_t bytes) const;
  /// From memory of a sender: as much as fits.
  void copy_from(const Outgoing& from) const;
};

}  // namespace kaon::ampi

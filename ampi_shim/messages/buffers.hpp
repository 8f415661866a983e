// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi {

inline std::size_t bytes_of_elements(MPI_Count count, const Datatype* type) {
  return static_cast<std::size_t>(type != nullptr ? count * type->size() : count);
}
inline bool are_run(MPI_Count count, const Datatype* type) { return type == nullptr || type->is_run(count); }
/// Where a run begins, from the buffer's address.
inline std::ptrdiff_t run_offset(const Datatype* type) { return type != nullptr ? type->run_offset() : 0; }
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

/// Elements in the memory of the program that are sent. It stays as it is until the send has completed.
struct Outgoing {
  const void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;  // nullptr: bytes

  std::size_t bytes() const { return bytes_of_elements(count, type); }
  /// Where they lie one behind the other; nullptr: they do not, and must be packed.
  const std::byte* contiguous() const {
    return are_run(count, type) ? static_cast<const std::byte*>(data) + run_offset(type) : nullptr;
  }
  /// True if some of it may be in that memory; data with gaps can seem to be there.
  bool meets(std::span<const std::byte> memory) const;
  /// All of it, into bytes() bytes.
  void pack(std::byte* to) const;
};

/// Memory of the program for elements that are received.
struct Incoming {
  void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;  // nullptr: bytes

  std::size_t bytes() const { return bytes_of_elements(count, type); }
  /// Same as contiguous() and meets() of Outgoing.
  std::byte* contiguous() const {
    return are_run(count, type) ? static_cast<std::byte*>(data) + run_offset(type) : nullptr;
  }
  bool meets(std::span<const std::byte> memory) const;
  /// The first `bytes` of it.
  void unpack(const std::byte* from, std::size_t bytes) const;
  /// From memory of a sender: as much as fits.
  void copy_from(const Outgoing& from) const {
    if (are_run(count, type) && are_run(from.count, from.type)) [[likely]]
      return copy_bytes(contiguous(), from.contiguous(), std::min(bytes(), from.bytes()));
    copy_elements_from(from);
  }

 private:
  void copy_elements_from(const Outgoing& from) const;
};

}  // namespace kaon::ampi

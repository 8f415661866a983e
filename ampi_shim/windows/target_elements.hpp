// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/ampi_shim/datatypes/copying.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi {

/// The single predefined datatype that a datatype is made of; MPI_DATATYPE_NULL: there are several, or none.
MPI_Datatype element_type(const TypeDefinition& type);

/// Where the data of a one-sided operation lie at its target, from the address that the displacement names. The target
/// need not know the datatype: its layout, which a datatype shares, travels as words.
struct TargetElements {
  Layout layout;           // of one repetition
  std::int64_t count = 0;  // of repetitions
  std::int64_t stride = 0;

  static TargetElements of(const Datatype& type, std::int64_t count);

  std::int64_t bytes() const { return count * layout.bytes; }
  /// One run of bytes from layout.offset on.
  bool is_run() const { return !layout.node && (count <= 1 || stride == layout.bytes); }
  void pack(std::byte* packed, const std::byte* memory) const;
  /// The first `bytes` of it.
  void unpack(std::byte* memory, const std::byte* packed, std::int64_t bytes) const;

  /// For messages; `from_words` throws CorruptMessage for words that no layout has.
  std::vector<std::int64_t> to_words() const;
  static TargetElements from_words(const std::vector<std::int64_t>& words);
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>

#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "kaon/ampi_shim/windows/target_elements.hpp"
#include "kaon/ampi_shim/windows/window_parts.hpp"

namespace kaon::ampi {

/// Replaces each element of the target by `operation` of it and an element of `origin`, atomically as to others of this
/// kind at the part. `element` is the predefined type of all elements; `origin` and `result`, which may be nullptr,
/// hold the data one behind the other. `result` gets the elements as they were.
struct Accumulation {
  const Operation* operation = nullptr;
  const Datatype* element = nullptr;
  const TargetElements* target = nullptr;
  const std::byte* origin = nullptr;
  std::byte* result = nullptr;

  void apply(PartControl& control, std::byte* memory) const;
};

/// The element at `memory` becomes `origin` if it equals `compare`, bit by bit; `result` gets it as it was.
struct ComparedSwap {
  std::size_t bytes = 0;
  const std::byte* origin = nullptr;
  const std::byte* compare = nullptr;
  std::byte* result = nullptr;

  void apply(PartControl& control, std::byte* memory) const;
};

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/datatypes/layout.hpp"

namespace kaon::ampi {

/// `count` repetitions of one repetition of a layout, `stride` bytes apart: elements of a datatype in a buffer.
struct RepeatedLayout {
  const Layout* layout;
  std::int64_t count;
  std::int64_t stride;
};

/// Copies `bytes` of the data in `memory`, from their byte number `first` on, to `packed`, one after the other.
void pack_bytes(void* packed, const void* memory, RepeatedLayout layout, std::int64_t first, std::int64_t bytes);
/// The way back: `packed` holds the bytes from number `first` on.
void unpack_bytes(void* memory, const void* packed, RepeatedLayout layout, std::int64_t first, std::int64_t bytes);

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

enum class MemoryKind : std::uint8_t { host, device };

/// Memory that lives long and holds many payloads. The machine registers it with the network once, at the first
/// transfer, and keeps that here; forget_region() comes before the memory goes.
struct MemoryRegion {
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::atomic<void*> registration{nullptr};  // the machine's; release by the registering thread, acquire by others

  bool holds(const void* memory, std::size_t length) const {
    const auto* begin = static_cast<const std::byte*>(memory);
    return begin >= base && begin < base + bytes && length <= static_cast<std::size_t>(base + bytes - begin);
  }
};

/// Memory of a payload on either side of a transfer.
struct PayloadMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::host;
  MemoryRegion* region = nullptr;  // that holds it; needed for device memory
};

}  // namespace kaon::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// How a process is reached: whose devices it uses, and the UCX address of each of its PEs, in order. On the wire, in
// the byte order of the host: vendor (u32), count (u32), then for each PE length (u32) and that many bytes.
struct Contact {
  DeviceVendor vendor = DeviceVendor::none;
  std::vector<std::vector<std::byte>> addresses;
  friend bool operator==(const Contact&, const Contact&) = default;
};

std::vector<std::byte> encode_contact(const Contact& contact);

// Throws CorruptMessage unless the bytes are exactly one contact of at least one PE, none of them empty.
Contact decode_contact(std::span<const std::byte> bytes);

}  // namespace kaon::machine_ucx

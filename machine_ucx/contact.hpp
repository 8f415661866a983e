// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace kaon::machine_ucx {

// How a process is reached: the UCX address of each of its PEs, in order. On the wire, in the byte order of the host:
// count (u32), then for each PE length (u32) and that many bytes.
using Contact = std::vector<std::vector<std::byte>>;

std::vector<std::byte> encode_contact(const Contact& contact);

// Throws CorruptMessage unless the bytes are exactly one contact of at least one PE, none of them empty.
Contact decode_contact(std::span<const std::byte> bytes);

}  // namespace kaon::machine_ucx

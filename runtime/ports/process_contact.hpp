// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime {

/// The data that a process gives to others through the bootstrap.
struct ProcessContact {
  std::vector<std::byte> ports;    // how they are reached, as the machine understands it
  std::vector<std::byte> devices;  // what devices of other processes need to know of ours; empty: there are none

  friend bool operator==(const ProcessContact&, const ProcessContact&) = default;
};

std::vector<std::byte> encode_process_contact(const ProcessContact& contact);
/// Throws CorruptMessage for bytes that are none.
ProcessContact decode_process_contact(std::span<const std::byte> bytes);

}  // namespace kaon::runtime

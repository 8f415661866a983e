// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/process_contact.hpp"

#include <cstdint>
#include <cstring>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

// The length of the first part, then both.
std::vector<std::byte> encode_process_contact(const ProcessContact& contact) {
  const std::uint64_t length = contact.ports.size();
  std::vector<std::byte> bytes(sizeof length);
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes.reserve(sizeof length + contact.ports.size() + contact.devices.size());
  for (const auto* part : {&contact.ports, &contact.devices})
    for (const std::byte byte : *part) bytes.push_back(byte);
  return bytes;
}

ProcessContact decode_process_contact(std::span<const std::byte> bytes) {
  std::uint64_t length = 0;
  const bool has_length = bytes.size() >= sizeof length;
  if (has_length) std::memcpy(&length, bytes.data(), sizeof length);
  if (!has_length || length > bytes.size() - sizeof length)
    throw CorruptMessage("the contact of another process is cut off");
  const auto ports = bytes.subspan(sizeof length, length);
  const auto devices = bytes.subspan(sizeof length + length);
  return {{ports.begin(), ports.end()}, {devices.begin(), devices.end()}};
}

}  // namespace kaon::runtime

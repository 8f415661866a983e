// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

// What the bodies of frames are made of, in the order of bytes of this machine. Who takes what is not there gets a
// CorruptMessage.

// Byte by byte: for what resize() and memcpy() do here g++ 12 warns of writes that do not happen.
inline void append_bytes(std::vector<std::byte>& body, std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) body.push_back(byte);
}

template <class Value>
void append(std::vector<std::byte>& body, const Value& value) {
  append_bytes(body, std::as_bytes(std::span(&value, 1)));
}

template <class Value>
Value take(std::span<const std::byte>& body) {
  if (body.size() < sizeof(Value)) throw CorruptMessage("a frame is shorter than its kind needs");
  Value value;
  std::memcpy(&value, body.data(), sizeof value);
  body = body.subspan(sizeof value);
  return value;
}

inline int take_process(std::span<const std::byte>& body, int processes) {
  const auto process = take<std::int32_t>(body);
  if (process < 0 || process >= processes)
    throw CorruptMessage("a frame names process " + std::to_string(process) + " of " + std::to_string(processes));
  return process;
}

inline void check_end(std::span<const std::byte> body) {
  if (!body.empty()) throw CorruptMessage("a frame is longer than its kind allows");
}

}  // namespace kaon::launch

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"

namespace kaon::runtime {

/// A value as a Reader finds it, in memory of its own. Without payloads.
template <class T>
std::vector<std::byte> packed_bytes(const T& value) {
  Writer size(nullptr, 0);
  size(value);
  std::vector<std::byte> bytes(size.bytes());
  Writer(bytes.data(), bytes.size())(value);
  return bytes;
}

}  // namespace kaon::runtime

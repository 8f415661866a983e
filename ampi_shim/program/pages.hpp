// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <cstddef>

namespace kaon::ampi {

inline std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

inline std::size_t whole_pages(std::size_t bytes) { return round_up(bytes, page_bytes()); }

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kaon/runtime/archive/corrupt.hpp"

// vector<bool>: a count, then eight to a byte, the first in the lowest bit.
namespace kaon::runtime::archive {

template <class Out, class T>
void pack_bits(Out& out, const T& bits) {
  out.write(static_cast<std::uint64_t>(bits.size()));
  std::byte* at = out.room((bits.size() + 7) / 8);
  if (at == nullptr) {
    return;
  }
  std::size_t i = 0;
  for (const bool bit : bits) {
    at[i / 8] = (i % 8 == 0 ? std::byte{} : at[i / 8]) | std::byte{bit} << (i % 8);
    ++i;
  }
}

template <class In, class T>
void unpack_bits(In& in, T& bits) {
  std::uint64_t count = 0;
  in.read(count);
  const std::size_t bytes = count / 8 + (count % 8 != 0 ? 1 : 0);
  if (bytes > in.remaining()) {
    throw_count(count, in.remaining());
  }
  const std::byte* from = in.take(bytes);
  bits.resize(count);
  for (std::size_t i = 0; i != count; ++i) {
    bits[i] = (from[i / 8] >> (i % 8) & std::byte{1}) != std::byte{};
  }
}

}  // namespace kaon::runtime::archive

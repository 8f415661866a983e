// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

/// Copies every `stride`-th piece from `first` on. Memory of another device is slow to answer: each thread asks for
/// some pieces before it needs the first.
template <class Piece>
KAON_DEVICE void copy_pieces(std::byte* to_bytes, const std::byte* from_bytes, std::uint64_t bytes, std::size_t first,
                             std::size_t stride) {
  constexpr int kAhead = 4;
  const auto* const from = reinterpret_cast<const Piece*>(from_bytes);
  auto* const to = reinterpret_cast<Piece*>(to_bytes);
  const std::size_t count = bytes / sizeof(Piece);
  std::size_t i = first;
  for (; i + (kAhead - 1) * stride < count; i += kAhead * stride) {
    Piece pieces[kAhead];
    for (int each = 0; each < kAhead; ++each) pieces[each] = from[i + each * stride];
    for (int each = 0; each < kAhead; ++each) to[i + each * stride] = pieces[each];
  }
  for (; i < count; i += stride) to[i] = from[i];
}

/// The share of thread `first` of `stride` threads in a copy, of any alignment, by the widest pieces that fit.
KAON_DEVICE inline void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes, std::size_t first,
                                   std::size_t stride) {
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (places % sizeof(CopiedQuad) == 0) return copy_pieces<CopiedQuad>(to, from, bytes, first, stride);
  if (places % sizeof(std::uint32_t) == 0) return copy_pieces<std::uint32_t>(to, from, bytes, first, stride);
  copy_pieces<std::uint8_t>(to, from, bytes, first, stride);
}

}  // namespace kaon::gpu

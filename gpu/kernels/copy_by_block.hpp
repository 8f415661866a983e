// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/backends/api.hpp"

namespace kaon::gpu {

/// So many bytes as one thread reads and writes at once.
struct alignas(16) Sixteen {
  std::uint64_t words[2];
};

template <class Piece, class Context>
KAON_DEVICE void copy_pieces(Context& at, std::byte* to, const std::byte* from, std::uint32_t pieces) {
  const auto threads = static_cast<std::uint32_t>(at.threads().volume());
  auto* const out = reinterpret_cast<Piece*>(to);
  const auto* const in = reinterpret_cast<const Piece*>(from);
  for (auto i = static_cast<std::uint32_t>(at.threads().number(at.thread())); i < pieces; i += threads) out[i] = in[i];
}

/// By all threads of a block, each a part: what they wrote is seen behind a sync.
template <class Context>
KAON_DEVICE void copy_by_block(Context& at, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (places % sizeof(Sixteen) == 0) return copy_pieces<Sixteen>(at, to, from, bytes / sizeof(Sixteen));
  if (places % sizeof(std::uint32_t) == 0) return copy_pieces<std::uint32_t>(at, to, from, bytes / 4);
  copy_pieces<std::byte>(at, to, from, bytes);
}

}  // namespace kaon::gpu

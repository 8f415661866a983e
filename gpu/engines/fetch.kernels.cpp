// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetch.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

template <class Piece, class Context>
KAON_DEVICE void copy_pieces(Context& at, const FetchKernel& fetch) {
  constexpr int kAhead = 4;
  const auto* const from = reinterpret_cast<const Piece*>(fetch.from);
  auto* const to = reinterpret_cast<Piece*>(fetch.to);
  const std::size_t count = fetch.bytes / sizeof(Piece), stride = at.stride();
  std::size_t i = at.index();
  for (; i + (kAhead - 1) * stride < count; i += kAhead * stride) {
    Piece pieces[kAhead];
    for (int each = 0; each < kAhead; ++each) pieces[each] = from[i + each * stride];
    for (int each = 0; each < kAhead; ++each) to[i + each * stride] = pieces[each];
  }
  for (; i < count; i += stride) to[i] = from[i];
}

template <class Context>
KAON_DEVICE void FetchKernel::operator()(Context& at) const {
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (places % sizeof(CopiedQuad) == 0) return copy_pieces<CopiedQuad>(at, *this);
  if (places % sizeof(std::uint32_t) == 0) return copy_pieces<std::uint32_t>(at, *this);
  copy_pieces<std::uint8_t>(at, *this);
}

}  // namespace kaon::gpu

KAON_KERNEL(kaon::gpu::FetchKernel);

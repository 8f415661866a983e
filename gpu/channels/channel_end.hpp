// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"

namespace kaon::gpu {

/// One end of a channel (channel.hpp) for kernels: two places here, of which the partner writes one in each round, and
/// the same at the partner's.
///
/// Where parts of a gang share a side, a flag counts the raises of all parts. So each part waits not only for the
/// partner's flag, but also until all parts of its own gang have come so far, by a flag that each of them raises: else
/// one that is ahead would be counted for one that is late.
///
/// Round 0 is there from the start and holds zeros. Who has written its round k, into out(k), and read the partner's
/// round k - 1, raises the partner's flag for the k-th time. When its own flag was raised k times it may read round k,
/// in(k), and write its round k + 1.
template <class T>
struct ChannelEnd {
  T* landing = nullptr;  // here; that of round k lies at (k % 2) * count
  T* partner_landing = nullptr;
  FlagWord arrived;  // here: raised by the partner
  FlagWord partner_arrived;
  std::uint64_t count = 0;  // elements of a round
  Scope scope = Scope::system;

  KAON_DEVICE bool is_connected() const { return partner_landing != nullptr; }
  KAON_DEVICE const T* in(std::uint32_t round) const { return landing + (round % 2) * count; }
  KAON_DEVICE T* out(std::uint32_t round) const { return partner_landing + (round % 2) * count; }
};

}  // namespace kaon::gpu

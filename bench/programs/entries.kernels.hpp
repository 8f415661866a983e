// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

#include "bench/programs/rally.hpp"

namespace entries {

/// Same as dispatch::Player, for warps.
struct Player {
  static constexpr bool kIsWarpSized = true;
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint32_t> over;
};

using Meet = kaon::bench::Meet<Player, 1024>;
using Pass = kaon::bench::Pass<Player>;
using Entries = kaon::gpu::DeviceEntries<Meet, Pass>;

}  // namespace entries

KAON_DEVICE_ENTRIES(entries::Entries);

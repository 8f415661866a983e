// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <kaon/device_entry.hpp>

#include "bench/programs/rally.hpp"

namespace dispatch {

struct Player {
  kaon::gpu::DeviceObject<Player> other;
  kaon::gpu::HostTarget<std::uint32_t> over;
};

using Meet = kaon::bench::Meet<Player>;
using Nothing = kaon::bench::Nothing<Player>;
using Pass = kaon::bench::Pass<Player>;
using Entries = kaon::gpu::DeviceEntries<Meet, Nothing, Pass>;

}  // namespace dispatch

KAON_DEVICE_ENTRIES(dispatch::Entries);

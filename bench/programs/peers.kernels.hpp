// SPDX-License-Identifier: Apache-2.0
#pragma once
// The entries of the other benchmark of device entries, for schedulers that are connected.
#include "bench/programs/dispatch.kernels.hpp"

namespace peers {

using Entries = kaon::gpu::DeviceEntriesWithPeers<dispatch::Meet, dispatch::Pass>;

}  // namespace peers

KAON_DEVICE_ENTRIES(peers::Entries);

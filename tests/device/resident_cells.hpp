// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <kaon/gpu.hpp>

#include "tests/device/resident.kernels.hpp"

namespace kaon::testing {

using Cells = gpu::Resident<CellEntries>;
using Object = gpu::DeviceObject<Cell>;

inline gpu::ResidentOptions options_of(unsigned workers, unsigned ring = 16, unsigned held = 64) {
  gpu::ResidentOptions options;
  options.workers = workers;
  options.threads = 64;
  options.ring = ring;
  options.held = held;
  return options;
}

}  // namespace kaon::testing

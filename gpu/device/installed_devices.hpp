// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "kaon/gpu/backends/backend.hpp"

namespace kaon::gpu {

/// Devices of the vendor that this process may open, without asking the driver, which would then know them all for
/// good. 0 for the host's back end, and when the system does not tell. `root` is another one for tests.
int installed_devices(Backend vendor, const std::filesystem::path& root = "/");

}  // namespace kaon::gpu

// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/version.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::machine_ucx {

void check_ucx_version(unsigned major, unsigned minor, bool moves_device_memory) {
  if (major == 1 && minor == 21 && moves_device_memory)
    throw UsageError("UCX 1.21 was found at run time, which does not move device memory reliably. Use 1.22, or 1.20.");
  if (major == 1 && minor >= 20) return;
  throw UsageError("UCX " + std::to_string(major) + "." + std::to_string(minor) +
                   " was found at run time, but Kaon needs 1.20 or a later 1.x. Install a newer libucp, or remove the "
                   "folder of the other one from LD_LIBRARY_PATH.");
}

}  // namespace kaon::machine_ucx

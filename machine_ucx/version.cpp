// SPDX-License-Identifier: Apache-2.0
#include "machine_ucx/version.hpp"

#include <string>

#include "runtime/error.hpp"

namespace kaon {

void check_ucx_version(unsigned major, unsigned minor) {
  if (major == 1 && minor >= 20) return;
  throw UsageError("UCX " + std::to_string(major) + "." + std::to_string(minor) +
                   " was found at run time, but Kaon needs 1.20 or a later 1.x. Install a newer libucp, or remove the "
                   "folder of the other one from LD_LIBRARY_PATH.");
}

}  // namespace kaon

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <string>

namespace kaon::testing {

/// The value that tests of programs give to --device: KAON_DEVICE, for machines with devices, else the emulation. Tests
/// that need the emulation's own settings say "host" instead.
inline std::string device_choice() {
  const char* const wanted = std::getenv("KAON_DEVICE");
  return wanted != nullptr ? wanted : "host";
}

}  // namespace kaon::testing

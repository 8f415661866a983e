// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <string>

namespace kaon::testing {

/// What tests of programs give to --device: what KAON_DEVICE says, for machines with devices, else the emulation. What
/// needs the emulation's own settings says "host".
inline std::string device_choice() {
  const char* const wanted = std::getenv("KAON_DEVICE");
  return wanted != nullptr ? wanted : "host";
}

}  // namespace kaon::testing

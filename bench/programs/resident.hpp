// SPDX-License-Identifier: Apache-2.0
// What the operating system says of this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

namespace kaon::bench {

/// A line of /proc/self/status, as "VmHWM" (the most resident ever) or "RssAnon" (resident, of no file and not shared).
inline std::int64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kib = 0;
    if (word == name + ":" && status >> kib) return kib * 1024;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  throw std::runtime_error("/proc/self/status has no " + name);
}

}  // namespace kaon::bench

// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/exit_status.hpp"

#include <cstring>

namespace kaon {

std::string to_string(const ExitStatus& status) {
  if (status.signal != 0) return "was killed by " + signal_text(status.signal);
  return "ended with code " + std::to_string(status.code);
}

std::string signal_text(int signal) {
  const char* name = strsignal(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

}  // namespace kaon

// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/exit_status.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "kaon/runtime/base/signals.hpp"

namespace kaon::launch {

bool ExitStatus::is_crash() const noexcept {
  constexpr std::array kFaults{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
  return std::find(kFaults.begin(), kFaults.end(), signal) != kFaults.end();
}

int end_so(const ExitStatus& status) {
  if (status.signal != 0) runtime::die_of(status.signal);
  return status.exit_code();
}

std::string to_string(const ExitStatus& status) {
  if (status.is_for_memory)
    return "was killed by " + signal_text(status.signal) +
           " as its control group was out of memory: ask the batch system or the container for more (srun --mem, "
           "docker "
           "run --memory)";
  if (status.signal != 0) return "was killed by " + signal_text(status.signal);
  return "ended with code " + std::to_string(status.code);
}

std::string signal_text(int signal) {
  const char* name = strsignal(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

}  // namespace kaon::launch

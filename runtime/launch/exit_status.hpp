// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// How a process has ended.
struct ExitStatus {
  int code = 0;
  int signal = 0;              // 0: it ended by itself
  bool is_for_memory = false;  // the signal: its control group had no more

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;

  [[nodiscard]] bool is_success() const noexcept { return code == 0 && signal == 0; }
  // By a fault of its own, not by somebody who ended it.
  [[nodiscard]] bool is_crash() const noexcept;
  // The code a shell would report.
  [[nodiscard]] int exit_code() const noexcept { return signal != 0 ? 128 + signal : code; }
};

// Ends this process so: by the signal, which a shell's script then ends by, too; else returns the code for main.
int end_so(const ExitStatus& status);

// "was killed by signal 9 (Killed)", "ended with code 3"
std::string to_string(const ExitStatus& status);
// "signal 9 (Killed)"
std::string signal_text(int signal);

}  // namespace kaon::launch

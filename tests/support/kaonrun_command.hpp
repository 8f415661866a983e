// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/support/programs.hpp"

namespace kaon::testing {

/// Starts a program that is told what to do by its first word, in so many processes of so many PEs.
inline std::vector<std::string> kaonrun_command(const std::string& processes, const std::string& pes,
                                                const std::string& program_path, const std::string& kind,
                                                const std::vector<std::string>& options) {
  std::vector<std::string> command{program("kaonrun"), "-n", processes, program_path, kind, "--pes", pes};
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

}  // namespace kaon::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kaon::testing {

// A program that has ended.
struct ProgramRun {
  int code = 0;      // 128 + the signal that ended it
  std::string text;  // standard output and error, as they came
};

// Starts a program by its path, without a shell, and reads until all that it started have closed their output.
ProgramRun run_program(const std::vector<std::string>& command);

}  // namespace kaon::testing

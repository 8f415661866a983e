// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "tests/support/launched_run.hpp"

// Runs of the program that plays a process as its argument says.
namespace kaon::testing::peers {

inline bool has(const Outcome& outcome, const std::string& text) {
  return outcome.text.find(text) != std::string::npos;
}

inline std::string name(int process, pid_t pid) {
  return "process " + std::to_string(process) + " (pid " + std::to_string(pid) + ")";
}

inline std::vector<std::string> peers(int processes, const std::string& behaviour,
                                      std::vector<std::string> options = {}) {
  std::vector<std::string> arguments{"-n", std::to_string(processes)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(peer_program());
  arguments.push_back(behaviour);
  return arguments;
}

// In a script: a frame of kaonrun's that ends the run with code 5.
inline const std::string kAbort = R"(printf '\011\0\0\0Kk\7\0\5\0\0\0words' >&$KAON_BOOTSTRAP_FD; )";
// kaonrun sees nothing of what comes until it is told to go on.
inline const std::string kStopParent = "kill -STOP $PPID; until grep -q 'State:.T' /proc/$PPID/status; do :; done; ";

// From the loss of a process to the end of all others.
inline constexpr std::chrono::seconds kSoon{5};

}  // namespace kaon::testing::peers

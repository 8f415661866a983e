// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kaon/chares/main_task.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// One that takes the arguments of the command line that are not the runtime's, without the program's name: by value,
/// or by a reference to what lasts as long as the run.
using MainTaskWithArguments = std::function<Task<int>(Runtime&, std::vector<std::string>&)>;

/// The last word of a main() whose program uses devices: every PE has one. Without it, only where --device asks.
struct WithDevices {};
inline constexpr WithDevices with_devices;

/// What main() calls: sets up the run by the command line and the environment, runs it on all PEs, and returns the exit
/// code. Errors are printed and give 2 (misuse), 3 (another process was lost), 4 (memory) or 1 (others).
int run(int argc, char** argv, MainTask main_task);
int run(int argc, char** argv, MainTaskWithArguments main_task);
int run(int argc, char** argv, MainTask main_task, WithDevices);
int run(int argc, char** argv, MainTaskWithArguments main_task, WithDevices);

}  // namespace kaon::chares

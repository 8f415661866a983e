// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/chares/session.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// One that takes the arguments of the command line that are not the runtime's, without the program's name: by value,
/// or by a reference to what lasts as long as the run.
using MainTaskWithArguments = std::function<Task<int>(Runtime&, std::vector<std::string>&)>;

namespace main_tasks {

template <class F>
inline constexpr bool is_main_task =
    std::is_constructible_v<MainTask, F> || std::is_constructible_v<MainTaskWithArguments, F>;

int run(int argc, char** argv, MainTask main_task, bool uses_devices);
int run(int argc, char** argv, MainTaskWithArguments main_task, bool uses_devices);

template <class F>
int run(int argc, char** argv, F&& main_task, bool uses_devices) {
  static_assert(
      is_main_task<F>,
      "kaon::run(argc, argv, main_task): main_task is a function that returns kaon::Task<int>, the exit code, "
      "and takes kaon::Runtime&, or kaon::Runtime& and std::vector<std::string>");
  if constexpr (std::is_constructible_v<MainTaskWithArguments, F>)
    return run(argc, argv, MainTaskWithArguments(std::forward<F>(main_task)), uses_devices);
  else if constexpr (is_main_task<F>)
    return run(argc, argv, MainTask(std::forward<F>(main_task)), uses_devices);
  else
    return 0;
}

}  // namespace main_tasks

/// The last word of a main() whose program uses devices: every PE has one. Without it, only where --device asks.
struct WithDevices {};
inline constexpr WithDevices with_devices;

/// Runs a program from main(): sets up the run by the command line and the environment, runs it on all PEs, and returns
/// the exit code. Errors are printed and give 2 (misuse), 3 (another process was lost), 4 (memory) or 1 (others).
/// `main_task` is a MainTask or a MainTaskWithArguments.
template <class F>
int run(int argc, char** argv, F main_task) {
  return main_tasks::run(argc, argv, std::move(main_task), false);
}
template <class F>
int run(int argc, char** argv, F main_task, WithDevices) {
  return main_tasks::run(argc, argv, std::move(main_task), true);
}

}  // namespace kaon::chares

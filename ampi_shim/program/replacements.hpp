// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "kaon/ampi_shim/program/hooks.hpp"

// In replacements/: functions of the C and C++ libraries that act on what a process has once, in a form that acts on
// what the calling rank has.
namespace kaon::ampi {

/// The function that replaces the one of this name for a program, or null.
void* find_replacement(std::string_view name);

std::span<const Replacement> exit_functions();
std::span<const Replacement> output_functions();
std::span<const Replacement> report_functions();
std::span<const Replacement> input_functions();
std::span<const Replacement> environment_functions();
std::span<const Replacement> random_functions();
std::span<const Replacement> option_functions();
std::span<const Replacement> text_functions();
std::span<const Replacement> program_functions();
std::span<const Replacement> descriptor_functions();
std::span<const Replacement> signal_functions();
std::span<const Replacement> library_functions();

/// From now on the user hears of variables that ranks share in libraries which programs open. Any thread.
void watch_opened_libraries() noexcept;

template <typename Function>
Replacement replace(std::string_view name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace kaon::ampi

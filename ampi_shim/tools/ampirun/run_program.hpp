// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/tools/ampirun/command_line.hpp"

namespace kaon::ampi {

/// Runs this process' share of the ranks; gives the exit code of the run.
int run_program(const Command& command);

/// Starts the processes of a run, each of which runs this command again and finds its place, and sees to their end.
int launch_processes(const Command& command, int argc, const char* const* argv);

/// True if this process is one of several that a launcher has started. Throws UsageError for a launcher that Kaon does
/// not know.
bool is_launched();

}  // namespace kaon::ampi

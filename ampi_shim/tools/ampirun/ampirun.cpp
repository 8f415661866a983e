// SPDX-License-Identifier: Apache-2.0
// Runs an MPI program as ranks of Kaon: in this process, or in several that it starts.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <string>

#include "kaon/ampi_shim/tools/ampirun/command_line.hpp"
#include "kaon/ampi_shim/tools/ampirun/run_program.hpp"
#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/base/version.hpp"

int main(int argc, char** argv) {
  using namespace kaon;
  runtime::keep_standard_streams();
  try {
    runtime::require_stack();
    const ampi::Command command = ampi::parse_command(argc, argv);
    if (command.wants_help) {
      std::fputs(ampi::help_text().c_str(), stdout);
      return 0;
    }
    if (command.wants_version) {
      std::printf("ampirun of Kaon %s, MPI %d.%d\n", runtime::kVersion, MPI_VERSION, MPI_SUBVERSION);
      return 0;
    }
    if (command.processes > 1 && !ampi::is_launched()) return ampi::launch_processes(command, argc, argv);
    return ampi::run_program(command);
  } catch (const std::exception& error) {
    // fprintf would need 8 KiB of a stack that may be all too small
    std::fputs(("ampirun: " + runtime::error_text(error) + "\n").c_str(), stderr);
    return runtime::exit_code(error);
  }
}

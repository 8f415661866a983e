// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/tools/ampirun/run_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "kaon/ampi_shim/interface/function_table.hpp"
#include "kaon/ampi_shim/program/library_variables.hpp"
#include "kaon/ampi_shim/program/program.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/ranks/output.hpp"
#include "kaon/ampi_shim/ranks/program_hooks.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/ampi_shim/tools/ampirun/vendor_programs.hpp"
#include "kaon/chares/session.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/launch/environment.hpp"
#include "kaon/runtime/launch/launcher.hpp"
#include "kaon/runtime/pe/out_of_memory_handler.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::ampi {
namespace {

/// As a shell finds it: by its path, or by its name in one of the folders of PATH.
std::string path_of(const std::string& program) {
  if (program.find('/') != program.npos) return program;
  const char* folders = std::getenv("PATH");
  std::string_view left = folders != nullptr ? folders : "";
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const std::string path = std::string(left.substr(0, end)) + "/" + program;
    if (end > 0 && access(path.c_str(), X_OK) == 0) return path;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return "./" + program;
}

/// A PE without a rank would only look for work.
Options options_of(const Command& command, const Seat& seat) {
  Options options = command.runtime;
  const int most = std::max(1, command.ranks / seat.processes);
  if (options.pes == 0) options.pes = default_pes(seat.processes_on_cores);
  options.pes = std::min(options.pes, most);
  return options;
}

WorldOptions world_options(const Command& command, const Bootstrap& bootstrap) {
  const Seat& seat = bootstrap.seat();
  WorldOptions options;
  options.ranks = command.ranks;
  options.stack_bytes = command.stack_bytes;
  options.has_labels = command.has_labels;
  options.shared_folder = bootstrap.shared_folder().path;
  options.is_crowded = is_oversubscribed(seat.processes_on_cores, options_of(command, seat).pes);
  return options;
}

std::unique_ptr<Program> open_program(const Command& command, const Seat& seat) {
  load_mpi_library();
  ProgramOptions options;
  options.path = path_of(command.program.front());
  options.share_globals = command.shares_globals;
  options.ranks = (command.ranks + seat.processes - 1) / seat.processes;
  options.hooks = program_hooks();
  return Program::open(std::move(options));
}

int run_guarded(const Command& command, Bootstrap& bootstrap) {
  std::vector<const char*> arguments;
  for (const std::string& argument : command.program) arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  setenv("KAON_INSIDE_AMPIRUN", "1", 1);  // for programs that ranks start: see library/start.cpp
  const auto libraries = loaded_libraries();
  const std::unique_ptr<Program> program = open_program(command, bootstrap.seat());
  World world(
      world_options(command, bootstrap),
      [&](Rank& rank) {
        return rank.image()->run_main(static_cast<int>(command.program.size()), arguments.data(), environ);
      },
      [&](int code, const std::string& text) { bootstrap.abort(code, text); });
  world.program = program.get();
  Options options = options_of(command, bootstrap.seat());
  options.uses_devices = options.device.empty() && uses_devices(path_of(command.program.front()), libraries);
  Session session(options, bootstrap);
  const int code = session.run_once([](Runtime& runtime) { return run_ranks(runtime); });
  finish_output();
  require_written_output();
  return code;
}

}  // namespace

bool is_launched() {
  using launch::Starter;
  return launch::find_starter([](const char* name) { return std::getenv(name); }).kind != Starter::Kind::nobody;
}

int run_program(const Command& command) {
  const OutOfMemoryHandler handler;
  require_stack();  // of threads that the bootstrap starts, too
  const std::unique_ptr<Bootstrap> bootstrap = make_bootstrap();
  try {
    return run_guarded(command, *bootstrap);
  } catch (const std::exception& error) {
    end_run_by(error, *bootstrap);
  }
}

int launch_processes(const Command& command, int argc, const char* const* argv) {
  launch::RunPlan plan;
  plan.processes = command.processes;
  plan.command.assign(argv, argv + argc);
  plan.command.front() = std::filesystem::read_symlink("/proc/self/exe").string();
  launch::Limits limits;
  limits.start = std::chrono::milliseconds(static_cast<long>(command.start_s * 1000));
  limits.peer = std::chrono::milliseconds(static_cast<long>(command.peer_s * 1000));
  const launch::ExitStatus status = launch::Launcher(plan, limits).run();  // what it has made is gone before the end
  return launch::end_so(status);
}

}  // namespace kaon::ampi

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/run.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "kaon/chares/session.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/base/hints.hpp"
#include "kaon/runtime/base/last_words.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/pe/out_of_memory_handler.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::chares {
namespace {

bool asks_for_help(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments)
    if (argument == "--help" || argument == "-h") return true;
  return false;
}

/// For a main task that takes no arguments. False: there is nothing to run.
bool wants_to_run(const std::string& program, const std::vector<std::string>& arguments) {
  if (asks_for_help(arguments)) {
    std::printf("Usage: %s [options]\n\n%s", program.c_str(), options_help().c_str());
    return false;
  }
  if (arguments.empty()) return true;
  std::string hint = hint_at_kaonrun(arguments.front());
  if (hint.empty()) hint = hint_at_removed(arguments.front());
  if (hint.empty()) hint = hint_at_option_of_charm(arguments.front());
  throw UsageError(hint.empty() ? "unknown option " + arguments.front() + " (try --help)" : hint);
}

/// A process gives its parent no more than a byte, and 0 would say that all went well.
int as_exit_code(int code, const Seat& seat) {
  if (code == 0 || (code & 0xff) != 0) return code;
  if (seat.process == 0)
    log_warn("main returned " + std::to_string(code) + ", which others would see as 0; the exit code is " +
             std::to_string(kExitOther));
  return kExitOther;
}

struct Program {
  MainTaskWithArguments main_task;
  bool takes_arguments;
  bool uses_devices;
};

int run_guarded(int argc, char** argv, const Program& program) {
  const OutOfMemoryHandler handler;
  std::unique_ptr<Bootstrap> bootstrap;
  try {
    require_stack();               // of threads that the bootstrap starts, too
    bootstrap = make_bootstrap();  // first: with it, an error is told once, not by every process
    ParsedCommandLine command_line = parse_command_line(argc, argv);
    command_line.options.uses_devices = program.uses_devices;
    if (!program.takes_arguments && !wants_to_run(argc > 0 ? argv[0] : "program", command_line.arguments)) return 0;
    Session session(command_line.options, *bootstrap);
    const int code =
        session.run_once([&](Runtime& runtime) { return program.main_task(runtime, command_line.arguments); });
    finish_output();
    return as_exit_code(code, bootstrap->seat());
  } catch (const std::exception& error) {
    if (bootstrap != nullptr) end_run_by(error, *bootstrap);
    print_error(error, "");
    return exit_code(error);
  }
}

}  // namespace

namespace main_tasks {

int run(int argc, char** argv, MainTask main_task, bool uses_devices) {
  auto task = [main_task = std::move(main_task)](Runtime& runtime, const std::vector<std::string>&) {
    return main_task(runtime);
  };
  return run_guarded(argc, argv,
                     {.main_task = std::move(task), .takes_arguments = false, .uses_devices = uses_devices});
}

int run(int argc, char** argv, MainTaskWithArguments main_task, bool uses_devices) {
  return run_guarded(argc, argv,
                     {.main_task = std::move(main_task), .takes_arguments = true, .uses_devices = uses_devices});
}

}  // namespace main_tasks
}  // namespace kaon::chares

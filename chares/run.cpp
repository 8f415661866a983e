// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/run.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "kaon/gpu/device/platform.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/hints.hpp"
#include "kaon/runtime/pe/execution.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/base/output.hpp"
#include "kaon/runtime/memory/heap.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/base/topology.hpp"

namespace kaon::chares {
namespace {

Task<int> explain_transfers(Runtime runtime, int code) {
  const TransferReport report = co_await runtime.transfers();
  std::printf("%s", to_text(report).c_str());
  co_return code;
}

/// The main task on PE 0, from its start to the end of the run.
class Main final : Work, Root {
 public:
  Main(Pe& pe, const MainTaskWithArguments& main_task, std::vector<std::string> arguments)
      : Root(pe), pe_(pe), runtime_(pe), frame_(main_task(runtime_, std::move(arguments)).release()) {
    run = [](Work& self, Pe&) { static_cast<Main&>(self).has_ended(); };
  }
  Main(const Main&) = delete;
  Main& operator=(const Main&) = delete;
  ~Main() {
    frame_.destroy();
    if (report_) report_.destroy();
  }
  void start() { start(frame_); }

  void say_name(ShortText& text) const override { text << "the main task"; }

 private:
  using Handle = std::coroutine_handle<Task<int>::promise_type>;

  void start(Handle task) {
    Root* const before = pe_.switch_root(this);
    task.promise().start(task, *this, this);
    pe_.switch_root(before);
  }
  void has_ended() noexcept {
    try {
      const int code = (report_ ? report_ : frame_).promise().take();
      if (pe_.process().options().explain_transfers && !report_)
        explain(code);
      else
        end_run(pe_, code);
    } catch (...) {
      pe_.fail(std::current_exception(), name());
    }
  }
  void explain(int code) {
    report_ = explain_transfers(runtime_, code).release();
    start(report_);
  }

  Pe& pe_;
  Runtime runtime_;
  Handle frame_;
  Handle report_;  // at the end, of --explain-transfers
};

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
  const std::string hint = hint_at_kaonrun(arguments.front());
  throw UsageError(hint.empty() ? "unknown option " + arguments.front() + " (try --help)" : hint);
}

std::unique_ptr<gpu::Platform> make_devices(Bootstrap& bootstrap, const Options& options) {
  if (!gpu::is_used() && options.device.empty()) return nullptr;
  return std::make_unique<gpu::Platform>(options, bootstrap.seat());
}

int run_process(Bootstrap& bootstrap, const ParsedCommandLine& command_line, const MainTaskWithArguments& main_task) {
  Options options = command_line.options;
  if (options.pes == 0) options.pes = default_pes(bootstrap.seat().processes_on_host);
  set_up_log(options.log_level, bootstrap.seat().process);
  if (bootstrap.seat().process == 0)
    for (const std::string& warning : misspelt_variables(environ)) log_warn(warning);
  keep_freed_memory();
  const std::unique_ptr<gpu::Platform> devices = make_devices(bootstrap, options);  // they go after all that is on them
  Process process(options, EntryTable::freeze(), bootstrap.roster(options.pes), bootstrap.seat().process,
                  batch_secret(bootstrap.secret()));
  const CurrentPe current(process.pe(0));  // the main task's frame goes when PE 0 is still there
  std::unique_ptr<Main> main;
  const int code = Execution(process, bootstrap, devices.get()).run([&](Pe& pe) {
    main = std::make_unique<Main>(pe, main_task, command_line.arguments);
    main->start();
  });
  main.reset();
  return code;
}

/// A process gives its parent no more than a byte, and 0 would say that all went well.
int as_exit_code(int code, const Seat& seat) {
  if (code == 0 || (code & 0xff) != 0) return code;
  if (seat.process == 0)
    log_warn("main returned " + std::to_string(code) + ", which others would see as 0; the exit code is " +
             std::to_string(kExitOther));
  return kExitOther;
}

int run_guarded(int argc, char** argv, const MainTaskWithArguments& main_task, bool takes_arguments) {
  std::unique_ptr<Bootstrap> bootstrap;
  try {
    bootstrap = make_bootstrap();  // first: with it, an error is told once, not by every process
    const ParsedCommandLine command_line = parse_command_line(argc, argv);
    if (!takes_arguments && !wants_to_run(argc > 0 ? argv[0] : "program", command_line.arguments)) return 0;
    const int code = run_process(*bootstrap, command_line, main_task);
    finish_output();
    return as_exit_code(code, bootstrap->seat());
  } catch (const std::exception& error) {
    if (bootstrap != nullptr) bootstrap->abort(exit_code(error), error_text(error));
    std::fprintf(stderr, "kaon: %s\n", error_text(error).c_str());
    return exit_code(error);
  }
}

}  // namespace

int run(int argc, char** argv, MainTask main_task) {
  const MainTaskWithArguments without = [&](Runtime& runtime, std::vector<std::string>) { return main_task(runtime); };
  return run_guarded(argc, argv, without, false);
}

int run(int argc, char** argv, MainTaskWithArguments main_task) { return run_guarded(argc, argv, main_task, true); }

}  // namespace kaon::chares

// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/session.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include "kaon/chares/running_main.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/granted_memory.hpp"
#include "kaon/runtime/base/hints.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/base/sanitizers.hpp"
#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/memory/heap.hpp"
#include "kaon/runtime/messages/failure.hpp"
#include "kaon/runtime/pe/execution.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"
#include "kaon/runtime/ports/peers.hpp"

namespace kaon::chares {
namespace {

std::atomic<bool> has_session{false};

/// The one session that a process may have.
class Only {
 public:
  Only() {
    if (has_session.exchange(true))
      throw UsageError("this process has a session already: delete that one first, also when it was stopped");
  }
  Only(const Only&) = delete;
  Only& operator=(const Only&) = delete;
  ~Only() { has_session = false; }
};

Options options_of_environment() {
  const char* const program = "program";
  return parse_command_line(1, &program).options;
}

Options completed(Options options, const Seat& seat) {
  if (options.pes == 0) options.pes = default_pes(seat.processes_on_cores);
  return options;
}

std::unique_ptr<gpu::Platform> make_devices(const Options& options, const Seat& seat) {
  if (!options.uses_devices && options.device.empty()) return nullptr;
  return std::make_unique<gpu::Platform>(options, seat);
}

void warn_of_surroundings() {
  for (const std::string& warning : misspelt_variables(environ)) log_warn(warning);
  if (const std::string warning = warning_of_sanitizers(); !warning.empty()) log_warn(warning);
}

/// Before anything else of a run is made.
void prepare(const Options& options, const Seat& seat) {
  set_up_log(options.log_level, seat.process);
  if (seat.process == 0) warn_of_surroundings();
  require_granted_memory(seat.processes_on_host, options.pes);
  keep_freed_memory();
}

}  // namespace

class Session::Parts {
 public:
  Parts(const Options& options, Bootstrap& bootstrap)
      : bootstrap(bootstrap),
        devices(make_devices(options, bootstrap.seat())),
        process(options, EntryTable::freeze(), bootstrap.roster(options.pes), bootstrap.seat(),
                batch_secret(bootstrap.secret())),
        execution(process, bootstrap, devices.get()) {}

  void require_here(const char* call) const {
    if (this_pe_or_null() != nullptr)
      throw UsageError(std::string("Session::") + call + "() was called in an entry or a main task: call it outside");
    if (std::this_thread::get_id() != thread)
      throw UsageError(std::string("Session::") + call + "() was called on another thread than start()");
  }

  Only only;
  Bootstrap& bootstrap;
  std::unique_ptr<gpu::Platform> devices;  // it goes after all that is on them
  Process process;
  Execution execution;
  std::thread::id thread;
  std::string thrown;  // what the last main task has thrown says
  bool is_started = false;
};

Session::Session() : Session(options_of_environment()) {}

Session::Session(const Options& options)
    : bootstrap_(runtime::make_bootstrap()), exceptions_(std::uncaught_exceptions()) {
  open(options, *bootstrap_);
}

Session::Session(const Peers& peers) : Session(options_of_environment(), peers) {}

Session::Session(const Options& options, const Peers& peers)
    : bootstrap_(runtime::make_bootstrap(peers)), exceptions_(std::uncaught_exceptions()) {
  open(options, *bootstrap_);
}

Session::Session(const Options& options, Bootstrap& bootstrap) : exceptions_(std::uncaught_exceptions()) {
  open(options, bootstrap);
}

void Session::open(const Options& options, Bootstrap& bootstrap) {
  const Options complete = completed(options, bootstrap.seat());
  prepare(complete, bootstrap.seat());
  parts_ = std::make_unique<Parts>(complete, bootstrap);
}

Session::~Session() {
  if (!parts_->is_started || parts_->execution.is_over()) return;
  if (processes() > 1 && std::uncaught_exceptions() > exceptions_)
    parts_->bootstrap.abort(
        kExitOther,
        "an exception has left a session that other processes take part in; catch it "
        "while the session lives" +
            (parts_->thrown.empty() ? " to see what it says" : ". Its main task has thrown: " + parts_->thrown));
  stop();
}

void Session::start() {
  if (parts_->is_started) throw UsageError("Session::start() was called twice");
  parts_->thread = std::this_thread::get_id();
  parts_->require_here("start");
  parts_->is_started = true;
  parts_->execution.start();
}

int Session::run(const MainTask& main_task) { return run(main_task, RunEnd::pause); }

int Session::run_once(const MainTask& main_task) { return run(main_task, RunEnd::stop); }

int Session::run(const MainTask& main_task, RunEnd end) {
  if (!parts_->is_started) start();
  parts_->require_here("run");
  if (parts_->execution.is_over()) throw UsageError("Session::run() after the session was stopped");
  const CurrentPe current(parts_->process.pe(0));  // the main task's frame goes when PE 0 is still there
  std::optional<RunningMain> main;
  code_ = parts_->execution.run([&](Pe& pe) {
    main.emplace(pe, main_task, end);
    main->start();
  });
  if (!main || main->error() == nullptr) return code_;
  parts_->thrown = runtime::text_of(main->error());
  std::rethrow_exception(main->error());
}

int Session::serve() {
  if (process() == 0) throw UsageError("Session::serve() in process 0, whose runs the others serve: call run()");
  int code = 0;
  while (!parts_->execution.is_over()) {
    code = code_;
    run({});
  }
  return code;
}

void Session::stop() {
  if (!parts_->is_started) return;
  while (!parts_->execution.is_over()) run([](Runtime&) -> Task<int> { co_return 0; }, RunEnd::stop);
}

int Session::process() const { return parts_->process.seat().process; }
int Session::processes() const { return parts_->process.seat().processes; }

}  // namespace kaon::chares

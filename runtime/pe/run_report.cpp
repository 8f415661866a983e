// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/run_report.hpp"

#include <fmt/format.h>

#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::runtime {
namespace {

const char* text_of(Pinning pinning) {
  switch (pinning) {
    case Pinning::pinned:
      return "each PE has a core of its own";
    case Pinning::too_few_cores:
      return "more PEs than cores, so none has one of its own";
    case Pinning::bound_already:
      return "somebody else has chosen the cores";
    case Pinning::impossible:
      return "PEs could not be bound to cores";
    case Pinning::not_wanted:
      return "PEs are not bound to cores";
  }
  return "";
}

std::string counted(int count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

}  // namespace

RunReport::RunReport(const Process& process)
    : process_(process), speaks_(process.seat().process == 0 && is_logged(LogLevel::info)) {}

void RunReport::joined(Pinning pinning, const Machine* machine) const {
  if (!speaks_) return;
  const Roster& roster = process_.roster();
  log_info(fmt::format("{} on {}, {} each; {} here, {}", counted(roster.processes(), "process", "processes"),
                       counted(roster.hosts(), "host", "hosts"), counted(roster.pes_per_process(), "PE", "PEs"),
                       counted(usable_cores(), "core", "cores"), text_of(pinning)));
  if (machine != nullptr) log_info("between processes: " + machine->describe());
  const std::chrono::duration<double, std::milli> time = Clock::now() - start_;
  log_info(fmt::format("all have joined after {:.1f} ms", time.count()));
}

void RunReport::ended() const {
  if (!speaks_) return;
  const std::chrono::duration<double> time = Clock::now() - start_;
  log_info(fmt::format("the run took {:.3f} s", time.count()));
}

}  // namespace kaon::runtime

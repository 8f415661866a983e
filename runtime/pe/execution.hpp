// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <functional>
#include <memory>

#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/run_report.hpp"

namespace kaon::runtime {

class Bootstrap;
class Devices;

/// Runs a process: a thread for each PE (the caller's is the first's), from the start of the network to its end.
class Execution {
 public:
  /// `start` runs on PE 0 of the run when all processes are ready.
  using Start = std::function<void(Pe&)>;

  /// `devices` outlives the process; nullptr for a program that uses none.
  Execution(Process& process, Bootstrap& bootstrap, Devices* devices = nullptr);
  ~Execution();

  /// Returns the exit code of the run. Does not return when the run fails: then the error has been printed, the other
  /// processes have been told, and this one has ended.
  int run(const Start& start);

 private:
  class Threads;

  void open_ports(Pe& pe);
  void connect(Pinning pinning);
  void drive_guarded(Pe& pe, const Start& start);
  void drive(Pe& pe);
  void wait_for_others(Pe& pe);
  void fail(std::exception_ptr error, const Pe& pe);
  void warn_of_missed_wakeups(const Pe& pe) const;

  Process& process_;
  Bootstrap& bootstrap_;
  Devices* devices_;
  RunReport report_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Threads> threads_;
};

/// Binds the calling thread, which drives this PE, to the core that is the PE's by its process' place on the host.
Pinning pin_thread_of(Pe& pe);

/// Ends the run: all PEs stop when what is queued before it has run, and every process returns `code`.
void end_run(Pe& pe, int code);

}  // namespace kaon::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/run_report.hpp"

namespace kaon::runtime {

class Bootstrap;
class Devices;

/// Runs a process: a thread for each PE (the caller's is the first's), from the start of the network to its end. What
/// fails in between ends the process, and with it the run: the error is printed, and the other processes are told.
class Execution {
 public:
  using Start = std::function<void(Pe&)>;

  /// `devices` outlives the process; nullptr for a program that uses none.
  Execution(Process& process, Bootstrap& bootstrap, Devices* devices = nullptr);
  ~Execution();

  /// Joins the run; returns when all processes are ready.
  void start();
  /// Runs the PEs until end_run() is called on one of them. `start` runs on PE 0 of the run before. All processes call
  /// it equally often. Returns the code that end_run() was given.
  int run(const Start& start);
  /// True if the last run() ended the run for good: all that lived on the PEs is gone then.
  bool is_over() const { return is_over_; }

 private:
  class Threads;
  class Borrowed;

  void live(Pe& pe);
  void guarded(Pe& pe, const std::function<void()>& action);
  void start_threads();
  void open_ports(Pe& pe);
  void connect(Pinning pinning);
  void run_pe(Pe& pe, const Start& start);
  void drive(Pe& pe);
  void pause(Pe& pe);
  void wait_for_others(Pe& pe);
  void finish();
  [[noreturn]] void fail(const std::exception& error, Pe& pe) noexcept;
  void warn_of_missed_wakeups(const Pe& pe) const;

  Process& process_;
  Bootstrap& bootstrap_;
  Devices* devices_;
  RunReport report_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Threads> threads_;
  std::unique_ptr<Borrowed> borrowed_;
  bool is_over_ = false;
};

/// Binds the calling thread, which drives this PE, to the core that is the PE's by its process' place on the host.
Pinning pin_thread_of(Pe& pe);

/// The way in which run() ends: the PEs may run again (pause), or the run has ended for good (stop).
enum class RunEnd : std::uint8_t { pause, stop };

/// Ends Execution::run() in all processes, with `code`, when the PEs have run what is queued before it.
void end_run(Pe& pe, int code, RunEnd how = RunEnd::stop);

}  // namespace kaon::runtime

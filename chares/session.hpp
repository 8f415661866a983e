// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "kaon/chares/runtime.hpp"
#include "kaon/runtime/base/options.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::runtime {
class Bootstrap;
struct Peers;
enum class RunEnd : std::uint8_t;
}  // namespace kaon::runtime

namespace kaon::chares {

/// The main task of a program: runs on PE 0; when it returns, the run ends with its result as exit code.
using MainTask = std::function<Task<int>(Runtime&)>;

/// A run of Kaon inside a program that is not Kaon's: a library, an interpreter, a program with phases of its own.
///
///   kaon::Session session;
///   session.start();
///   session.run(first_phase);   // a main task, as kaon::run() has one
///   ...                         // nothing of Kaon's runs here
///   session.run(second_phase);  // finds the chares of the first
///   session.stop();
///
/// Between runs the PEs rest: messages under way and entries that wait go on in the next one. The calling thread is
/// PE 0's of this process while it is in here, so all calls come from one thread, and none from an entry. With several
/// processes (under kaonrun) each makes a session and calls start(), run() and stop() equally often; main tasks run in
/// process 0. A process that only takes part calls serve() instead of run().
///
/// What a main task throws comes out of run() in process 0. What else fails (an entry, another process, a deadlock)
/// ends the process, and with it the run, as in programs that call kaon::run(). A process has one session at a time.
class Session {
 public:
  /// Options that the environment does not give have their defaults. Throws UsageError: another session is there, or
  /// this process has taken part in a run of kaonrun's before.
  Session();
  explicit Session(const Options& options);
  /// Makes a session of processes that have found each other, however they were started. All processes make one,
  /// collectively. A program of MPI says `Session session(peers_of(MPI_COMM_WORLD))`, see `kaon/mpi_peers.hpp`.
  explicit Session(const runtime::Peers& peers);
  Session(const Options& options, const runtime::Peers& peers);
  /// `bootstrap` outlives the session.
  Session(const Options& options, runtime::Bootstrap& bootstrap);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Same as stop(). But an exception that leaves a session of several processes ends the run.
  ~Session();

  /// Joins the other processes and starts the PEs. Throws UsageError for options that this machine cannot serve.
  void start();
  /// Runs a main task to its end, and gives its result in all processes. Starts the session if that was not done.
  int run(const MainTask& main_task);
  /// Takes part in the runs of process 0, until that stops the session. Gives the result of the last.
  int serve();
  /// Ends the PEs with all that lives on them. In other processes than 0, when process 0 does so: until then it takes
  /// part in what that still runs.
  void stop();
  /// Same as run() and then stop(). An exception of the main task ends the run.
  int run_once(const MainTask& main_task);

  /// The number of this process among all processes.
  int process() const;
  int processes() const;

 private:
  class Parts;

  int run(const MainTask& main_task, runtime::RunEnd end);
  void open(const Options& options, runtime::Bootstrap& bootstrap);

  std::unique_ptr<runtime::Bootstrap> bootstrap_;  // of its own
  std::unique_ptr<Parts> parts_;
  int code_ = 0;
  int exceptions_;  // that were on their way when it was made
};

}  // namespace kaon::chares

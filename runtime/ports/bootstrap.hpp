// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/ports/roster.hpp"
#include "kaon/runtime/ports/secret.hpp"
#include "kaon/runtime/ports/shared_folder.hpp"

namespace kaon::runtime {

// How the processes of one run find each other before there is a network between them, and leave together when it is
// taken down. put(), fence() and is_released() come from the session's thread, all else from any. When another process
// is lost, this one prints why and ends by itself, whatever its threads are doing: no call here has to be watched for
// that.
class Bootstrap {
 public:
  // The launcher's own time-out for the start ends the run.
  static constexpr std::chrono::milliseconds kLauncherDecides = std::chrono::milliseconds::max();

  virtual ~Bootstrap() = default;

  [[nodiscard]] virtual const Seat& seat() const = 0;
  // Known to the processes of this run alone.
  [[nodiscard]] virtual const Secret& secret() const = 0;
  // For what the processes of a host share under a name.
  [[nodiscard]] virtual SharedFolder shared_folder() const { return {}; }
  // Who is where. All processes have as many PEs as this one.
  [[nodiscard]] virtual Roster roster(int pes_per_process) const { return {seat().processes, pes_per_process}; }

  // The processes are on several hosts, and may watch each other over these interfaces of the network between them. By
  // the thread that calls put(), before.
  virtual void use_network(const std::string& /*interfaces*/) {}

  // Publishes how this process is reached, once. A run whose processes give different hashes is ended with their names:
  // they are not the same program.
  virtual void put(std::uint64_t program_hash, std::vector<std::byte> blob) = 0;
  // Waits until all have put. Throws LostPeer with the names of those who did not within `timeout`.
  virtual void fence(std::chrono::milliseconds timeout = kLauncherDecides) = 0;
  // What `process` has put. After fence(); asks the launcher at the first use only.
  virtual std::vector<std::byte> get(int process) = 0;

  // The barrier at the end: enter, then go on progressing the network until is_released(), which never blocks. A
  // process that exits without it, while others run, is an error.
  virtual void arrive() = 0;
  [[nodiscard]] virtual bool is_released() = 0;

  // Ends all processes of the run, without any clean-up, and has `text` printed once with the name of this process.
  // What they have printed is written out before, for as long as a reader that takes nothing is given.
  [[noreturn]] virtual void abort(int code, std::string_view text) = 0;
};

// Chosen by the environment: a process started by kaonrun gets its place among the others, a process on its own is a
// run of one. Throws UsageError when another launcher has started several of us, which would be as many separate runs.
std::unique_ptr<Bootstrap> make_bootstrap();

// Of processes that have found each other, whatever the environment says.
struct Peers;
std::unique_ptr<Bootstrap> make_bootstrap(const Peers& peers);

}  // namespace kaon::runtime
